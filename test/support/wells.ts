import { hasAssetId, type ScopedWell, well, type Well } from '../../src/shared/wells/wells.ts';

/** A well without other attributes. */
export const wellOf = (
  platformId: number,
  name: string,
  asset: number | null,
  more: Partial<Record<keyof Well, unknown>> = {},
): Well =>
  well.parse({
    platformId,
    assetId: asset,
    name,
    status: null,
    state: null,
    visibility: null,
    identifier: null,
    apiNumber: null,
    area: null,
    companyId: null,
    lastActiveAt: null,
    ...more,
  });

/** A well with an asset id; its platform id differs from it. */
export function wellWith(assetId: number): ScopedWell {
  const made = wellOf(assetId - 4000, `W-${assetId}`, assetId);
  if (!hasAssetId(made)) throw new Error('a well without an asset id');
  return made;
}
