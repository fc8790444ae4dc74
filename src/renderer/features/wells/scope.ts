import type { AssetId, Well } from '../../../shared/wells.ts';

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

/** The well of an asset: never one whose platform id happens to be the same number. */
export function wellOfAsset(wells: readonly Well[], asset: AssetId | null): ScopedWell | null {
  if (asset === null) return null;
  return wells.find((well): well is ScopedWell => well.assetId === asset) ?? null;
}

/** The same wells as they are listed now, where they are. */
export function asListed(chosen: readonly ScopedWell[], listed: readonly Well[]): readonly ScopedWell[] {
  if (chosen.length === 0 || listed.length === 0) return chosen;
  const wanted = new Set(chosen.map(({ platformId }) => platformId));
  const known = new Map(
    listed
      .filter(hasAssetId)
      .filter(({ platformId }) => wanted.has(platformId))
      .map((well) => [well.platformId, well]),
  );
  return chosen.map((well) => known.get(well.platformId) ?? well);
}
