/** How much of a compiled body may run before V8 compiles it anew: by itself, and beyond what a few answers need. */
export const ownBudget = 13_000_000;
const budget = 1_000_000_000;

const setBudget = (bytes: number): void =>
  process.getBuiltinModule('node:v8').setFlagsFromString(`--wasm-tiering-budget=${bytes}`);

/**
 * Says that this process reads a few answers and ends. Undici's parser is WebAssembly, and from the second answer on V8
 * compiles all of it anew, for speed that only thousands of answers bring: some 40 ms of a processor, which the end of the
 * process waits for. To be called when what the command needs is loaded: code that is cached under other flags is not taken.
 */
export function expectFewAnswers(): void {
  setBudget(budget);
}

/** Takes that back, before code is kept for a start that begins with V8's own flags. */
export function expectAnyAnswers(): void {
  setBudget(ownBudget);
}
