import { serve } from '../../../shared/threads.ts';
import { loadWithLibrary } from './library.ts';
import { parentProcess } from '../processes/parent-port.ts';
import type { SqlCalls } from './engine.ts';

// The SQL process. A crash of the engine, which is native code, ends this process and nothing else.

/** The engine; a platform can lack its library. */
const loaded = loadWithLibrary(import('./engine.ts')).then(({ sqlCalls }) => sqlCalls());
loaded.catch(() => undefined);

serve<SqlCalls>(parentProcess(), {
  open: async (input) => (await loaded).open(input),
  start: async (input, context) => (await loaded).start(input, context),
  next: async (input, context) => (await loaded).next(input, context),
  copy: async (input, context) => (await loaded).copy(input, context),
  end: async (input) => (await loaded).end(input),
  sortPlaces: async (input, context) => (await loaded).sortPlaces(input, context),
  countRepeats: async (input, context) => (await loaded).countRepeats(input, context),
  convert: async (input, context) => (await loaded).convert(input, context),
  convertText: async (input, context) => (await loaded).convertText(input, context),
});
