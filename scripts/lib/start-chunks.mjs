import { join } from 'node:path';

/** Where a start begins: what every command runs, and what all of them that ask a service need. */
const roots = {
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

/**
 * Puts what a start needs into three files in place of fifty, each of which costs a millisecond to find and link: `base`
 * is what worker threads share with the core, `command` the command line, `core` the core. All else is split as it comes.
 * @param main the folder of main's source
 * @param workers entry files of the worker threads
 */
export function startChunks(main, workers) {
  let sets;
  const sorted = (moduleInfo) => {
    const reach = (files) => {
      const found = new Set();
      const waiting = [...files];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (found.has(id)) continue;
        found.add(id);
        waiting.push(...(moduleInfo(id)?.importedIds ?? []));
      }
      return found;
    };
    const of = (names) => reach(names.map((name) => join(main, name)));
    return { workers: reach(workers), command: of(roots.command), core: of(roots.core) };
  };
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        name(id, chunking) {
          sets ??= sorted((one) => chunking.getModuleInfo(one));
          const { workers: threads, command, core } = sets;
          if (!command.has(id) && !core.has(id)) return null;
          if (threads.has(id)) return 'base';
          return command.has(id) ? 'command' : 'core';
        },
      },
    ],
  };
}
