import { serve } from '../../../shared/threads.ts';
import { loadWithLibrary } from './statement.ts';
import { parentProcess } from '../processes/parent-port.ts';
import type { TableCalls } from './table-calls.ts';

// The process that writes the tables of a job. A crash of the engine, which is native code, ends this process and no other.

serve<TableCalls>(
  parentProcess(),
  loadWithLibrary(import('./table-calls.ts')).then(({ tableCalls }) => tableCalls()),
);
