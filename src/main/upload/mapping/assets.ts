import { AppError, invalidInput } from '../../../shared/errors.ts';
import type { Mapping } from '../../../shared/upload.ts';
import type { PlatformEntity } from '../../../shared/wells.ts';
import type { CallOptions, PlatformService } from '../../services/services.ts';
import { isExcelDamaged } from '../reading/cells.ts';
import { maxDistinct } from '../reading/scan.ts';
import type { FileWarning } from '../reading/warnings.ts';
import { assetKey } from './convert.ts';

type By = 'name' | 'api_number';
type Found = { readonly ids: Record<string, number>; readonly warnings: FileWarning[] };

/** How many wells are asked for at the same time. */
const atOnce = 4;

/** The columns that give wells by name or API number, as the mapping says. */
export function assetColumns(mapping: Mapping): { column: string; by: By }[] {
  return Object.entries(mapping.columns).flatMap(([column, { by }]) =>
    by === 'name' || by === 'api_number' ? [{ column, by }] : [],
  );
}

const integerOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
};

/**
 * Asset ids of a name or API number. Only `attributes.asset_id` of a well is one, and the id of an asset; the id of a
 * well on the platform never is (specification, section 1.4).
 */
async function idsOf(
  platform: PlatformService,
  by: By,
  value: string,
  options: CallOptions,
): Promise<Set<number>> {
  const key = assetKey(by, value);
  const exactly = ({ attributes }: PlatformEntity, name: string): boolean =>
    typeof attributes[name] === 'string' && assetKey(by, attributes[name]) === key;
  if (by === 'api_number') {
    const assets = await platform.list('assets', { api_number: [key], types: ['well'] }, options);
    const named = assets.filter((asset) => exactly(asset, 'api_number'));
    return new Set((named.length > 0 ? named : assets).map(({ id }) => id));
  }
  const wells = await platform.list('wells', { search: value.trim() }, options);
  const ids = wells
    .filter((well) => exactly(well, 'name'))
    .map(({ attributes }) => integerOf(attributes['asset_id']));
  return new Set(ids.filter((id) => id !== null));
}

async function resolveColumn(
  platform: PlatformService,
  column: string,
  by: By,
  values: ReadonlyMap<string, number>,
  options: CallOptions,
): Promise<Found> {
  if (values.size > maxDistinct)
    throw invalidInput(
      `Column “${column}” has more than ${maxDistinct} different values; it can't be a column of wells.`,
      { field: `mapping.columns.${column}` },
    );
  const ids: Record<string, number> = {};
  const warnings: FileWarning[] = [];
  const unresolved = (value: string, line: number, why: string): void =>
    void warnings.push({
      code: 'well_unresolved',
      message: `Column “${column}”: “${value}” ${why}. Its rows will be rejected.`,
      line,
    });
  const queue = values.entries();
  const work = async (): Promise<void> => {
    for (const [value, line] of queue) {
      if (by === 'api_number' && isExcelDamaged(value)) {
        unresolved(value, line, 'has lost its digits in a spreadsheet');
        continue;
      }
      const found = [...(await idsOf(platform, by, value, options))];
      const [id] = found;
      if (id !== undefined && found.length === 1) ids[assetKey(by, value)] = id;
      else
        unresolved(
          value,
          line,
          found.length === 0 ? 'is no well that the platform knows' : `stands for ${found.length} wells`,
        );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (values.size > 0 && Object.keys(ids).length === 0)
    throw new AppError('invalid_input', {
      issues: warnings.slice(0, 10).map(({ message, line }) => ({ message, place: { line: line ?? 1 } })),
    });
  return { ids, warnings };
}

/**
 * Resolves the wells that a file names to asset ids, each of them once. What can't be resolved comes as warnings
 * first, and its rows are rejected; when nothing can be, nothing begins.
 * @throws AppError invalid_input when not one well is known; what the platform service throws
 */
export async function resolveAssets(
  platform: PlatformService,
  mapping: Mapping,
  distinct: Readonly<Record<string, ReadonlyMap<string, number>>>,
  options: CallOptions = {},
): Promise<{ assets: Record<string, Record<string, number>>; warnings: FileWarning[] }> {
  const assets: Record<string, Record<string, number>> = {};
  const warnings: FileWarning[] = [];
  for (const { column, by } of assetColumns(mapping)) {
    const found = await resolveColumn(platform, column, by, distinct[column] ?? new Map(), options);
    assets[column] = found.ids;
    warnings.push(...found.warnings);
  }
  return { assets, warnings };
}
