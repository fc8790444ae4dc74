import { AppError } from '../../../shared/errors/errors.ts';
import { serve } from '../../../shared/threads.ts';
import { parentProcess } from '../processes/parent-port.ts';
import type { TableCalls } from './table-calls.ts';

// The process that writes the tables of a job. A crash of the engine, which is native code, ends this process and no other.

/** The engine; a platform can lack its library. */
const loaded = import('./table-calls.ts').then(
  ({ tableCalls }) => tableCalls(),
  (cause: unknown) => {
    throw new AppError('sql_unavailable', { reason: 'missing' }, { cause });
  },
);
loaded.catch(() => undefined);

serve<TableCalls>(parentProcess(), {
  load: async () => (await loaded).load(),
  open: async (input) => (await loaded).open(input),
  close: async () => (await loaded).close(),
  run: async (input) => (await loaded).run(input),
});
