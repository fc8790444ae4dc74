import { en } from './en.ts';

/** Every word of the window. A further language is one more file of this shape, named in the catalogue below. */
export type Words = typeof en;

const catalogue: Readonly<Record<string, Words>> = { en };

/** The words for the first of the languages that there is a file for; English when there is none. */
export function wordsFor(languages: readonly string[]): Words {
  for (const language of languages) {
    const found = catalogue[language.toLowerCase().split('-')[0] ?? ''];
    if (found) return found;
  }
  return en;
}

/** The words of this window. */
export const words: Words = wordsFor(globalThis.navigator?.languages ?? []);
