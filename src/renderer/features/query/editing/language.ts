import { createLanguageThread } from './language-thread.ts';

/** The one thread that looks at the texts of all editors. */
export const language = createLanguageThread(
  () => new Worker(new URL('./language-worker.ts', import.meta.url), { type: 'module', name: 'language' }),
);
