import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import { toWell } from './well.ts';

/** How many asset ids fit in one request. */
const idsPerRequest = 50;
/** With more ids, reading the whole list takes fewer requests. */
const maxIds = 1000;

/**
 * The names of wells by asset id. Wells that the platform service doesn't list are absent; of several wells with one
 * asset id, the first one counts.
 * @param ids asset ids; null: all wells
 * @throws AppError of the platform service
 */
export async function wellNames(
  platform: Pick<PlatformService, 'list'>,
  ids: readonly number[] | null,
  options: CallOptions,
): Promise<Record<string, string>> {
  const names = new Map<string, string>();
  const wanted = ids && ids.length <= maxIds ? ids : null;
  const filters =
    wanted === null
      ? [{}]
      : Array.from({ length: Math.ceil(wanted.length / idsPerRequest) }, (_, part) => ({
          asset_id: wanted.slice(part * idsPerRequest, (part + 1) * idsPerRequest),
        }));
  for (const filter of filters) {
    for (const entity of await platform.list('wells', filter, options)) {
      const { assetId, name } = toWell(entity);
      const key = String(assetId);
      // A service that doesn't support the filter returns all wells.
      if (assetId !== null && (wanted?.includes(assetId) ?? true) && !names.has(key)) names.set(key, name);
    }
  }
  return Object.fromEntries(names);
}
