import { hasAssetId, type ScopedWell } from '../../../shared/wells/scope.ts';
import type { Well } from '../../../shared/wells/wells.ts';

const maxSuggestions = 2;

const normalize = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The parts of a name: letters and numbers separately, without leading zeros. */
const nameParts = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map((piece) => piece.replace(/^0+(?=\d)/, '')));

/** The similarity of a name and a well's name, from 0 to 1. Below 0.5 they are different. */
function similarity(name: string, well: string): number {
  if (normalize(name) === normalize(well)) return 1;
  const a = nameParts(name);
  const b = nameParts(well);
  // A different number, or a different letter on the pad, means a different well, even if the names are
  // similar.
  const distinctive = [...a].filter((piece) => /\d/.test(piece) || piece.length <= 2);
  if (!distinctive.every((piece) => b.has(piece))) return 0;
  const shared = [...a].filter((piece) => b.has(piece)).length;
  return shared / Math.max(a.size, b.size);
}

/** The wells that a misspelled name could mean, the most similar first. */
export function similarWells(wells: readonly Well[], name: string): ScopedWell[] {
  return wells
    .filter(hasAssetId)
    .map((well) => ({ well, score: similarity(name, well.name) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxSuggestions)
    .map(({ well }) => well);
}
