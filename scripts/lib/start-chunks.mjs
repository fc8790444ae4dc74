import { join } from 'node:path';

/** Where a start begins: what chooses the way, what every command runs, and what all of them that ask a service need. */
const roots = {
  entry: ['cli.ts'],
  command: ['cli/main.ts'],
  core: [
    'app.ts',
    'cli/commands/find.ts',
    'gates/datasets.ts',
    'gates/query.ts',
    'datasets/datasets.ts',
    'query/query.ts',
  ],
};

/** All that files import, and what that imports, without what is imported only when it is needed. */
function reach(files, moduleInfo) {
  const found = new Set();
  const waiting = [...files];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(moduleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/**
 * Puts what a start needs into a few files in place of fifty, each of which costs a millisecond to find and link: `entry`
 * is what all need of what chooses the way, `base` what worker threads share with the core, `command` the command line, `core` the core. All else is split as it comes.
 * @param main the folder of main's source
 * @param workers entry files of the worker threads
 */
export function startChunks(main, workers) {
  let sets;
  const sorted = (moduleInfo) => {
    const of = (names) =>
      reach(
        names.map((name) => join(main, name)),
        moduleInfo,
      );
    return {
      workers: reach(workers, moduleInfo),
      entry: of(roots.entry),
      command: of(roots.command),
      core: of(roots.core),
    };
  };
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        name(id, chunking) {
          sets ??= sorted((one) => chunking.getModuleInfo(one));
          const { workers: threads, entry, command, core } = sets;
          // The entry chooses between builds: it must not load the one to ask for the other.
          if (!command.has(id) && !core.has(id)) return null;
          if (entry.has(id)) return 'entry';
          if (threads.has(id)) return 'base';
          return command.has(id) ? 'command' : 'core';
        },
      },
    ],
  };
}

/** One file of what questions on the command line need. All else is split as it comes. */
export function questionChunk(main) {
  let needed;
  const files = [...roots.command, ...roots.core].map((name) => join(main, name));
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'question',
        name(id, chunking) {
          needed ??= reach(files, (one) => chunking.getModuleInfo(one));
          return needed.has(id) ? 'question' : null;
        },
      },
    ],
  };
}
