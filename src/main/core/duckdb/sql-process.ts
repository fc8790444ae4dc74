import { serve } from '../../../shared/threads.ts';
import { loadWithLibrary } from './statement.ts';
import { parentProcess } from '../processes/parent-port.ts';
import type { SqlCalls } from './engine.ts';

// The SQL process. A crash of the engine, which is native code, ends this process and nothing else.

serve<SqlCalls>(
  parentProcess(),
  loadWithLibrary(import('./engine.ts')).then(({ sqlCalls }) => sqlCalls()),
);
