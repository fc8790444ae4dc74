import { changeOf, type UnitSystem } from '../../shared/channels/unit-systems.ts';
import { shownUnit } from '../../shared/channels/units.ts';
import type { DatasetAddress } from '../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../shared/datasets/fields.ts';
import type { ExportFormat, ExportUnits } from '../../shared/export/export.ts';
import { isAppError } from '../../shared/errors/errors.ts';
import { readFields } from '../datasets/fields/fields.ts';
import type { DataService } from '../services/services.ts';
import type { UnitChanges } from './records/unit-changes.ts';
import type { ColumnFacts } from './writing/about.ts';

async function fieldsOf(
  data: DataService,
  address: DatasetAddress,
  signal: AbortSignal | undefined,
): Promise<readonly DatasetField[]> {
  const found = await readFields(data, { ...address, assets: [], companies: [] }, signal).catch(
    (error: unknown) => {
      if (isAppError(error, 'cancelled')) throw error;
      return { fields: [] };
    },
  );
  return found.fields;
}

const factsOf = (fields: readonly DatasetField[]): ColumnFacts =>
  Object.fromEntries(
    fields.flatMap(({ path, unit, description }) =>
      unit === undefined && description === undefined ? [] : [[path, { unit, description }]],
    ),
  );

interface PlannedColumns {
  readonly columns: ColumnFacts;
  readonly unitChanges: UnitChanges;
}

/** Units and descriptions of a dataset's fields. A file without them is better than none. */
export const readColumnFacts = async (
  data: DataService,
  address: DatasetAddress,
  signal: AbortSignal | undefined,
): Promise<ColumnFacts> => factsOf(await fieldsOf(data, address, signal));

const hasMetadata = (format: ExportFormat): boolean =>
  format === 'parquet' || format === 'xlsx' || format === 'las';

/**
 * The units and descriptions of the columns of a file, and the units to convert. A file with stored units is written
 * without descriptions if they can't be read.
 * @throws AppError as {@link planUnits}
 */
export async function planColumns(
  data: DataService,
  address: DatasetAddress,
  { units, format }: { readonly units: ExportUnits; readonly format: ExportFormat },
  signal: AbortSignal | undefined,
): Promise<PlannedColumns> {
  if (units !== 'stored') return planUnits(data, address, units, signal);
  return {
    columns: hasMetadata(format) ? await readColumnFacts(data, address, signal) : {},
    unitChanges: {},
  };
}

/**
 * The units and descriptions of a dataset's fields in a system of units, and which numbers have to be converted.
 * @throws AppError of the data service if neither definition nor records can be read; `cancelled`
 */
async function planUnits(
  data: DataService,
  address: DatasetAddress,
  system: UnitSystem,
  signal: AbortSignal | undefined,
): Promise<PlannedColumns> {
  const { fields } = await readFields(data, { ...address, assets: [], companies: [] }, signal);
  const lists = fields.filter(({ types }) => types.includes('array')).map(({ path }) => path);
  const isInList = (path: string): boolean => lists.some((list) => path.startsWith(`${list}.`));
  const columns = factsOf(fields);
  const unitChanges: Record<string, UnitChanges[string]> = {};
  for (const { path, unit: text } of fields) {
    const change = text === undefined || isInList(path) ? null : changeOf(text, system);
    if (text === undefined || !change) continue;
    unitChanges[path] = { from: text, to: change.to.symbol };
    columns[path] = { ...columns[path], unit: shownUnit(change.to) };
  }
  return { columns, unitChanges };
}
