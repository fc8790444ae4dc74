import { serve } from '../../../shared/threads.ts';
import { loadWithLibrary } from './statement.ts';
import { parentProcess } from '../processes/parent-port.ts';
import type { SqlCalls } from './engine.ts';
import type { TableCalls } from './table-calls.ts';

// The process of the engine: it runs the statements of users, or those of a job. A crash of the engine, which is native code,
// ends this process and no other.

export type EngineCalls = SqlCalls & TableCalls;

const load = async (): Promise<EngineCalls> => {
  // One after the other: if the library is missing, two imports at once end the process instead of failing.
  const { sqlCalls } = await import('./engine.ts');
  const { tableCalls } = await import('./table-calls.ts');
  return { ...sqlCalls(), ...tableCalls() };
};

serve<EngineCalls>(parentProcess(), loadWithLibrary(load()));
