import { hasAssetId, type ScopedWell } from '../../src/renderer/features/wells/scope.ts';
import { well, type Well } from '../../src/shared/wells/wells.ts';

/** A well that says no more of itself than this. */
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

/** A well that can be asked about; its platform id is another than its asset's. */
export function wellWith(assetId: number): ScopedWell {
  const made = wellOf(assetId - 4000, `W-${assetId}`, assetId);
  if (!hasAssetId(made)) throw new Error('a well without an asset id');
  return made;
}
