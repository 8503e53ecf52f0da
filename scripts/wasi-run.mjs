// Runs a WASI program (preview 1) under Node, with this environment and directory, and exits with its status.
//   node --no-flush-bytecode scripts/wasi-run.mjs PROGRAM.wasm [ARGUMENTS]
// Node 20 can crash ("Invalid bytecode") when a program exits after a minute. Hence the flag, which keeps compiled functions, and
// `returnOnExit: false`, with which Node exits at once.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [program, ...rest],
  env: process.env,
  preopens: { ".": process.cwd() },
  returnOnExit: false,
});
const module = new WebAssembly.Module(readFileSync(program));
const instance = new WebAssembly.Instance(module, wasi.getImportObject());
// Keeps it reachable: otherwise, Node may collect it while the program still calls its functions.
globalThis.wasi = wasi;
process.exitCode = wasi.start(instance);
