import module from 'node:module';
import { fileURLToPath } from 'node:url';
import type vm from 'node:vm';
import { expectAnyAnswers } from './few-answers.ts';
import type * as Main from './main.ts';
import { questions } from './questions.ts';

// An import of all of `fs` would load its streams; this file is part of every start.
const fs = () => process.getBuiltinModule('node:fs');

/** The last line of the file names its contents; in so many characters. */
const nameLength = 16;

/** What is there of a file; undefined: nothing. */
function contents(file: string): Buffer | undefined {
  try {
    return fs().readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Keeps what V8 has made of the code so far. Another process may do the same; where it can't be written there is none. */
function keep(script: vm.Script, file: string): void {
  expectAnyAnswers();
  const beside = `${file}.${process.pid}`;
  try {
    fs().writeFileSync(beside, script.createCachedData());
    fs().renameSync(beside, file);
  } catch {
    // The next start compiles again.
  }
}

/**
 * Loads the build that is made for questions alone: one file in CommonJS, whose code V8 finds as the last run of that
 * command has left it, with every function that it called. Node's own cache of modules holds only what was compiled before
 * they ran, and half of the time of a question was the compiling of the rest.
 * @param entry the address of the entry file
 * @returns null: something else is asked for, or there is no such build
 */
export function loadForQuestion(entry: string, argv: readonly string[]): typeof Main | null {
  const [command = ''] = argv;
  // A run for its help would leave behind the code of that alone.
  if (!questions.has(command) || argv.includes('--help') || argv.includes('-h')) return null;
  if (!entry.endsWith('.js')) return null;
  const file = fileURLToPath(new URL('question.cjs', entry));
  // It is in ASCII, which takes half the memory of other text, and less time.
  const source = contents(file)?.toString('latin1');
  if (source === undefined) return null;
  const name = `${command}-${source.trimEnd().slice(-nameLength)}`;
  const kept = fileURLToPath(new URL(`.compiled/${name}`, entry));
  const cachedData = contents(kept);
  const { Script, constants } = process.getBuiltinModule('node:vm');
  const script = new Script(`(function (exports, require, module, __filename) {${source}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected)
    process.once('exit', (code) => void (code === 0 && keep(script, kept)));
  const made = new module.Module(file);
  const require = module.createRequire(file);
  // What it loads later refers back to it.
  require.cache[file] = made;
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(made.exports, require, made, file);
  made.loaded = true;
  return made.exports as typeof Main;
}
