import type { AssetId } from '../../../shared/wells/well-ids.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import type { WellIndex } from './well-index.ts';

/** A well whose data can be asked for. */
export type ScopedWell = Well & { readonly assetId: AssetId };

export const hasAssetId = (well: Well): well is ScopedWell => well.assetId !== null;

/** The asset ids that scope records to these wells; each once. The platform ids never do. */
export function scopeOf(wells: readonly ScopedWell[]): AssetId[] {
  return [...new Set(wells.map(({ assetId }) => assetId))];
}

/** The companies that these wells belong to, as far as it is known; each once. */
export function companiesOf(wells: readonly ScopedWell[]): number[] {
  return [...new Set(wells.map(({ companyId }) => companyId))].filter((id) => id !== null);
}

/** Whether two choices scope to the same assets, in whatever order. */
export function sameScope(one: readonly ScopedWell[], other: readonly ScopedWell[]): boolean {
  const [a, b] = [new Set(scopeOf(one)), new Set(scopeOf(other))];
  return a.size === b.size && a.isSubsetOf(b);
}

/** The same wells as they are listed now, where they are; the very same where nothing of them is another. */
export function asListed(
  chosen: readonly ScopedWell[],
  listed: Pick<WellIndex, 'well'>,
): readonly ScopedWell[] {
  const now = chosen.map((well) => {
    const other = listed.well('platformId', well.platformId);
    return other && hasAssetId(other) ? other : well;
  });
  return JSON.stringify(now) === JSON.stringify(chosen) ? chosen : now;
}
