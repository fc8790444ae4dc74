import { hasAssetId, type ScopedWell } from './scope.ts';
import type { Well } from '../../../shared/wells/wells.ts';

const offered = 2;

const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The pieces of a name: letters and numbers apart, zeros before a number gone. */
const pieces = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []).map((piece) => piece.replace(/^0+(?=\d)/, '')));

/** How alike a name and a well's are, from 0 to 1; below a half they are not. */
function likeness(name: string, well: string): number {
  if (bare(name) === bare(well)) return 1;
  const a = pieces(name);
  const b = pieces(well);
  // A well of another number, or of another letter on its pad, is another well, however alike the names are.
  const telling = [...a].filter((piece) => /\d/.test(piece) || piece.length <= 2);
  if (!telling.every((piece) => b.has(piece))) return 0;
  const shared = [...a].filter((piece) => b.has(piece)).length;
  return shared / Math.max(a.size, b.size);
}

/** The wells that a misspelt name may mean, the likeliest first. */
export function likelyWells(wells: readonly Well[], name: string): ScopedWell[] {
  return wells
    .filter(hasAssetId)
    .map((well) => ({ well, score: likeness(name, well.name) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, offered)
    .map(({ well }) => well);
}
