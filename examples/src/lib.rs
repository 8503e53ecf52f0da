//! Small servers and readers that show fastutf in its place, each with a program to run and a test.
