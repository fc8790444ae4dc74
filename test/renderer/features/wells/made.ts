import { well, type Well } from '../../../../src/shared/wells.ts';

/** A well that says no more of itself than this. */
export const made = (
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
