import type { Well } from '../../../shared/wells.ts';

// What is searched for each well, made once: the list is searched at every key stroke.
const haystacks = new WeakMap<Well, string>();

function haystack(well: Well): string {
  const known = haystacks.get(well);
  if (known !== undefined) return known;
  const api = well.apiNumber ?? '';
  const made = [well.name, api, digits(api), well.assetId ?? '', well.identifier ?? '']
    .join('\n')
    .toLocaleLowerCase();
  haystacks.set(well, made);
  return made;
}

const digits = (text: string) => text.replace(/\D/g, '');
// An API number is typed with and without its dashes.
const looksLikeApiNumber = /^\d[\d-]*-\d[\d-]*$/;

/** The wells whose name, API number, identifier or asset id holds every word of the text; all for an empty one. */
export function searchWells(wells: readonly Well[], text: string): readonly Well[] {
  const words = text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (looksLikeApiNumber.test(word) ? digits(word) : word));
  if (words.length === 0) return wells;
  return wells.filter((well) => {
    const hay = haystack(well);
    return words.every((word) => hay.includes(word));
  });
}
