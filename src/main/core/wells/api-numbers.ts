import {
  apiDigits,
  apiOfWell,
  areOfOneWellbore,
  dashedApi,
  isApiNumber,
  shorterApiNumbers,
  type PlatformEntity,
} from '../../../shared/wells/wells.ts';
import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import { toWell } from './well.ts';

/** An asset, whose id is an asset id, and its API number as the service writes it; null: unknown. */
export interface ApiMatch {
  readonly asset: PlatformEntity;
  readonly apiNumber: string | null;
}

interface ApiMatches {
  /** Those with this number, or with a shorter or longer one that can be of the same wellbore. */
  readonly matching: readonly ApiMatch[];
  /** Other wellbores of the same well, if none matches. */
  readonly others: readonly ApiMatch[];
}

/**
 * The wells with an API number, in whatever form the file and the service write it: with dashes or without, with 10, 12,
 * or 14 digits. A number of 10 digits can match several wellbores.
 * @throws AppError of the platform service
 */
export async function wellsByApiNumber(
  platform: PlatformService,
  text: string,
  options: CallOptions,
): Promise<ApiMatches> {
  const digits = apiDigits(text);
  const exact = await withNumbers(platform, [digits], options);
  // A spreadsheet drops the zero of California, Colorado, and other states.
  if (exact.length === 0 && /^\d{9}(?:\d\d){0,2}$/.test(digits))
    return wellsByApiNumber(platform, `0${digits}`, options);
  if (exact.length > 0 || !isApiNumber(digits)) return { matching: exact, others: [] };
  const shorter = shorterApiNumbers(digits);
  const matching = shorter.length > 0 ? await withNumbers(platform, shorter, options) : [];
  const relatives = await ofSameWell(platform, apiOfWell(digits), options);
  const all = new Map(matching.map((match) => [match.asset.id, match]));
  for (const match of relatives)
    if (areOfOneWellbore(match.apiNumber ?? '', digits)) all.set(match.asset.id, match);
  return { matching: [...all.values()], others: all.size > 0 ? [] : relatives };
}

/** Assets with their API numbers. Services can leave them out of assets, but not of wells. */
async function matchesOf(
  platform: PlatformService,
  assets: readonly PlatformEntity[],
  options: CallOptions,
): Promise<ApiMatch[]> {
  const matches = assets.map((asset) => ({ asset, apiNumber: toWell(asset).apiNumber }));
  const without = matches.filter(({ apiNumber }) => apiNumber === null).map(({ asset }) => asset.id);
  if (without.length === 0) return matches;
  const wells = (await platform.list('wells', { asset_id: without }, options)).map(toWell);
  const numbers = new Map<number | null, string | null>(
    wells.map(({ assetId, apiNumber }) => [assetId, apiNumber]),
  );
  return matches.map(({ asset, apiNumber }) => ({
    asset,
    apiNumber: apiNumber ?? numbers.get(asset.id) ?? null,
  }));
}

async function withNumbers(
  platform: PlatformService,
  numbers: readonly string[],
  options: CallOptions,
): Promise<ApiMatch[]> {
  const assets = await platform.list('assets', { api_number: [...numbers], types: ['well'] }, options);
  const [only, ...more] = assets;
  // The only one is the one that was requested, even without its number.
  const matches =
    only && more.length === 0
      ? [{ asset: only, apiNumber: toWell(only).apiNumber }]
      : await matchesOf(platform, assets, options);
  return matches.filter(({ apiNumber }) => apiNumber === null || numbers.includes(apiDigits(apiNumber)));
}

/** The wells whose number has these first 10 digits, with dashes or without. */
async function ofSameWell(
  platform: PlatformService,
  number: string,
  options: CallOptions,
): Promise<ApiMatch[]> {
  for (const search of [number, dashedApi(number)]) {
    const assets = await platform.list('assets', { types: ['well'], search }, options);
    const matches = await matchesOf(platform, assets, options);
    const same = matches.filter(({ apiNumber }) => apiDigits(apiNumber ?? '').startsWith(number));
    if (same.length > 0) return same;
  }
  return [];
}
