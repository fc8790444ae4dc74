import type { Well } from '../../../shared/wells.ts';

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

// Made once for each well: a list is searched at every key stroke.
const haystacks = new WeakMap<Well, string>();

function haystack(well: Well): string {
  const known = haystacks.get(well);
  if (known !== undefined) return known;
  const made = haystackOf(well);
  haystacks.set(well, made);
  return made;
}

/** The wells whose name, API number, identifier or asset id holds every word of the text; all for an empty one. */
export function searchWells(wells: readonly Well[], text: string): readonly Well[] {
  const words = wordsOf(text);
  if (words.length === 0) return wells;
  return wells.filter((well) => {
    const hay = haystack(well);
    return words.every((word) => hay.includes(word));
  });
}
