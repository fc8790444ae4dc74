import type { Well } from '../../../../shared/wells/wells.ts';

const digits = (text: string) => text.replace(/\D/g, '');
// An API number is typed with and without its dashes.
const looksLikeApiNumber = /^\d[\d-]*-\d[\d-]*$/;

/** What a well can be found by, in one text: name, API number with and without dashes, asset id, identifier. */
export function haystackOf({ name, apiNumber, assetId, identifier }: Well): string {
  const api = apiNumber ?? '';
  return [name, api, digits(api), assetId ?? '', identifier ?? ''].join('\n').toLowerCase();
}

/** The words of what was typed, as they are looked for. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (looksLikeApiNumber.test(word) ? digits(word) : word));
}
