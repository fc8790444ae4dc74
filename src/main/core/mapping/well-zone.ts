import { isAppError } from '../../../shared/errors/errors.ts';
import type { FileWarning, Mapping } from '../../../shared/upload/upload.ts';
import type { Well } from '../../../shared/wells/wells.ts';
import type { CallOptions, PlatformService } from '../wire/services/services.ts';
import { toWell } from '../wells/well.ts';
import type { Scan } from '../tables/reading/scan.ts';
import { isZone } from './zones.ts';
import { assetPaths } from '../tables/model/targets.ts';
import type { Rules } from '../tables/model/plan.ts';

/** Maximum number of wells whose time zone is looked up. */
const maxWells = 200;

const assetIdIn = (text: string): number[] => (/^\d{1,15}$/.test(text) ? [Number(text)] : []);

/** The asset ids of the rows; empty: unknown, or too many. */
function assetsOf(rules: Rules, { layout, distinct }: Pick<Scan, 'layout' | 'distinct'>): number[] {
  const isOfWell = ({ path }: { readonly path: readonly string[] }) => assetPaths.includes(path.join('.'));
  const constantIds = rules.constants.filter(isOfWell).flatMap(({ json }) => assetIdIn(json));
  const named = rules.columns.filter(isOfWell).map(({ index, conversion }) => {
    if (conversion.kind === 'asset') return Object.values(conversion.ids);
    const values = distinct[layout.columns[index]?.key ?? ''];
    return [...(values?.keys() ?? [])].flatMap(assetIdIn);
  });
  if (named.some((ids) => ids.length === 0)) return [];
  const all = [...new Set([...constantIds, ...named.flat()])];
  return all.length > maxWells ? [] : all;
}

/** The wells of asset ids; none if the user may not read them. @throws other errors of the platform service */
async function wellsOf(
  platform: PlatformService,
  assets: readonly number[],
  options: CallOptions,
): Promise<Well[]> {
  try {
    const wells = (await platform.list('wells', { asset_id: [...assets] }, options)).map(toWell);
    return wells.filter(({ assetId }) => assetId !== null && assets.includes(assetId));
  } catch (error) {
    if (isAppError(error, 'forbidden') || isAppError(error, 'not_found')) return [];
    throw error;
  }
}

/** The common time zone of wells; null: there are several, or a well has none. */
function commonZone(wells: readonly Well[], asked: number): string | null {
  const zones = new Set(wells.map(({ timeZone }) => timeZone));
  const [zone = null] = zones;
  return wells.length >= asked && zones.size === 1 && zone !== null && isZone(zone) ? zone : null;
}

interface ZonedMapping {
  readonly mapping: Mapping;
  /** The columns that are read in the time zone of their wells; empty: none. */
  readonly warnings: readonly FileWarning[];
}

/**
 * Adds the time zone of the wells to a mapping for local times without a zone, as the window does. The mapping is
 * unchanged if the wells have several zones or none.
 * @param planned the columns for which UTC would be assumed
 * @throws errors of the platform service, except for wells that the user may not read
 */
export async function withWellZone(
  mapping: Mapping,
  scan: Scan,
  { rules, warnings: planned }: { readonly rules: Rules; readonly warnings: readonly FileWarning[] },
  platform: PlatformService,
  options: CallOptions,
): Promise<ZonedMapping> {
  const assumed = planned.filter(({ code }) => code === 'zone_assumed');
  const assets = assumed.length === 0 ? [] : assetsOf(rules, scan);
  if (assets.length === 0) return { mapping, warnings: [] };
  const wells = await wellsOf(platform, assets, options);
  const zone = commonZone(wells, assets.length);
  if (zone === null) return { mapping, warnings: [] };
  const whose = wells.length === 1 ? (wells[0]?.name ?? '') : `${wells.length} wells`;
  const columns = { ...mapping.columns };
  const warnings: FileWarning[] = [];
  for (const warning of assumed) {
    const rule = rules.columns.find(({ column }) => column === warning.column);
    if (!rule) continue;
    columns[rule.column] = { to: rule.path.join('.'), ...mapping.columns[rule.column], zone };
    warnings.push({
      ...warning,
      code: 'zone_of_well',
      message: `Column “${rule.column}” has times without a time zone; they are read in ${zone}, the time zone of ${whose}. If they aren't, set "zone" in a mapping.`,
    });
  }
  return { mapping: { ...mapping, columns }, warnings };
}
