import * as z from 'zod';

/**
 * What a well is known by. `assetId` is the only number that scopes records; `platformId` is the id of `/v2/wells` and never does
 * (specification, section 1.4). They are different types here, so that one cannot stand in for the other.
 */
export const assetId = z.int().brand<'assetId'>();
export type AssetId = z.infer<typeof assetId>;
export const platformWellId = z.int().brand<'platformWellId'>();
export type PlatformWellId = z.infer<typeof platformWellId>;
