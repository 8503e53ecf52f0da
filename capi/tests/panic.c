/* Panics in the library: it ends with a message and SIGABRT, and nothing after the call runs. Linked with a library that has
 * the feature `test-panic`. */
#include <stdio.h>

void fastutf_test_panic(void);

int main(void)
{
    fastutf_test_panic();
    puts("the panic returned");
    return 0;
}
