import { serve } from '../../../shared/threads.ts';
import { loadWithLibrary } from './library.ts';
import { parentProcess } from '../processes/parent-port.ts';
import type { TableCalls } from './table-calls.ts';

// The process that writes the tables of a job. A crash of the engine, which is native code, ends this process and no other.

/** The engine; a platform can lack its library. */
const loaded = loadWithLibrary(import('./table-calls.ts')).then(({ tableCalls }) => tableCalls());
loaded.catch(() => undefined);

serve<TableCalls>(parentProcess(), {
  load: async () => (await loaded).load(),
  open: async (input) => (await loaded).open(input),
  close: async () => (await loaded).close(),
  run: async (input) => (await loaded).run(input),
});
