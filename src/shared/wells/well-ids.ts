import * as z from 'zod';

/**
 * The ids of a well. Only `assetId` scopes records; `platformId` is the id of `/v2/wells` and never does
 * (specification, section 1.4). They are different types, so one can't replace the other.
 */
export const assetId = z.int().brand<'assetId'>();
export type AssetId = z.infer<typeof assetId>;
export const platformWellId = z.int().brand<'platformWellId'>();
export type PlatformWellId = z.infer<typeof platformWellId>;
