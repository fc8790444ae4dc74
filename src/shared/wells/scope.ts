import type { AssetId, PlatformWellId } from './well-ids.ts';
import type { Well } from './wells.ts';

/** A well with an asset id, whose data can be queried. */
export type ScopedWell = Well & { readonly assetId: AssetId };

/** Whether the data of a well can be queried. */
export const hasAssetId = (well: Well): well is ScopedWell => well.assetId !== null;

/** The unique asset ids of the wells. Platform ids never scope records. */
export function scopeOf(wells: readonly ScopedWell[]): AssetId[] {
  return [...new Set(wells.map(({ assetId }) => assetId))];
}

/** The unique companies of the wells, as far as known. */
export function companiesOf(wells: readonly ScopedWell[]): number[] {
  return [...new Set(wells.map(({ companyId }) => companyId))].filter((id) => id !== null);
}

/** Whether two selections have the same assets, in any order. */
export function sameScope(one: readonly ScopedWell[], other: readonly ScopedWell[]): boolean {
  const [a, b] = [new Set(scopeOf(one)), new Set(scopeOf(other))];
  return a.size === b.size && a.isSubsetOf(b);
}

/** The current versions of the wells in the list; the same array if nothing changed. */
export function refreshed(
  chosen: readonly ScopedWell[],
  listed: { readonly well: (by: 'platformId', id: PlatformWellId) => Well | undefined },
): readonly ScopedWell[] {
  const now = chosen.map((well) => {
    const another = listed.well('platformId', well.platformId);
    return another && hasAssetId(another) ? another : well;
  });
  return JSON.stringify(now) === JSON.stringify(chosen) ? chosen : now;
}
