import * as z from 'zod';
import { changeOf } from '../../../shared/channels/unit-systems.ts';
import { shownUnit } from '../../../shared/channels/units.ts';
import { assetPaths, depthPath, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import {
  exportUnits,
  type Aggregation,
  type DepthUnit,
  type ExportFormat,
  type ExportUnits,
} from '../../../shared/export/export.ts';
import { matchOfStages } from '../../../shared/language/relaxed.ts';
import { readScope } from '../../../shared/language/text/conditions.ts';
import { fromBody, invalidInput, isPassing } from '../../../shared/errors/errors.ts';
import { fieldsOrNone, readFields } from '../../core/datasets/fields/fields.ts';
import type {
  DataService,
  Services,
  CallOptions,
  PlatformService,
} from '../../core/wire/services/services.ts';
import { isUnder } from '../../core/records/columns.ts';
import { unitChanges, type UnitChanges } from '../../core/records/unit-changes.ts';
import { computedBy } from '../../../shared/language/text/summary.ts';
import { columnFacts, type ColumnFacts } from '../../core/records/about.ts';
import { toWell } from '../../core/wells/well.ts';

/** What an export reads once, before its first record. A resumed export writes the same. */
export const exportDetails = z.object({
  /** Units and descriptions, for formats with metadata. */
  columns: columnFacts.default({}),
  /** Units that are converted, by path. */
  unitChanges: unitChanges.default({}),
  /** The names of wells by asset id, to be written beside it; null: no names. */
  wellNames: z.record(z.string(), z.string()).nullable().default(null),
});
export type ExportDetails = z.infer<typeof exportDetails>;

export const detailsRequest = z.object({
  /** Absent: the plan has its columns and units already. */
  units: z.enum(exportUnits).optional(),
  /** The wells whose names are written, null: all; absent: no names. */
  wells: z.array(z.int()).readonly().nullable().optional(),
});
type DetailsRequest = z.infer<typeof detailsRequest>;

/**
 * Reads what an export needs besides records.
 * @throws AppError as {@link readColumns}; errors of the platform service
 */
export async function readDetails(
  { data, platform }: Pick<Services, 'data' | 'platform'>,
  { columns, unitChanges: changes, details: { units, wells }, ...plan }: DetailsPlan,
  signal: AbortSignal,
): Promise<ExportDetails> {
  const [read, names] = await Promise.all([
    units === undefined ? { columns, unitChanges: changes } : readColumns(data, { units, ...plan }, signal),
    wells === undefined ? null : wellNames(platform, wells, { signal }),
  ]);
  return { ...read, wellNames: names };
}

/** The dataset with the wells that an export names: the wells of the newest records can have other fields. */
function ofWells(
  address: DatasetAddress,
  { query, aggregation }: { readonly query: string; readonly aggregation?: Aggregation | null | undefined },
) {
  const conditions =
    aggregation?.kind === 'pipeline' ? matchOfStages(aggregation.stages) : (aggregation?.match ?? query);
  const assets = assetPaths.flatMap((path) => {
    const scope = readScope(conditions, path);
    return scope.kind === 'ids' ? scope.ids : [];
  });
  return { ...address, assets };
}

interface DetailsPlan extends ColumnDetails {
  readonly address: DatasetAddress;
  /** Relaxed JSON. */
  readonly query: string;
  readonly format: ExportFormat;
  readonly calculation?: { readonly units: Readonly<Record<string, string>> } | undefined;
  readonly aggregation: Aggregation | null;
  readonly details: DetailsRequest;
}

type WrittenField = Pick<DatasetField, 'path' | 'types' | 'unit' | 'description'>;

const calculatedFields = (calculation: DetailsPlan['calculation']): WrittenField[] =>
  Object.entries(calculation?.units ?? {}).map(([path, unit]) => ({ path, unit, types: ['number'] }));

const factsOf = (fields: readonly WrittenField[]): ColumnFacts =>
  Object.fromEntries(
    fields.flatMap(({ path, unit, description }) =>
      unit === undefined && description === undefined ? [] : [[path, { unit, description }]],
    ),
  );

type ColumnDetails = Pick<ExportDetails, 'columns' | 'unitChanges'>;

/** Fields without the units and descriptions that the values of an aggregation don't have. */
function fieldsIn(
  aggregation: Aggregation | null | undefined,
  fields: readonly WrittenField[],
): readonly WrittenField[] {
  const isComputed = computedBy(aggregation);
  return fields.map((field) =>
    isComputed?.(field.path, field.unit) ? { ...field, unit: undefined, description: undefined } : field,
  );
}

/** Units and descriptions of a dataset's fields. A file without them is better than none. @throws AppError `cancelled` */
export const readColumnFacts = async (
  data: DataService,
  address: DatasetAddress,
  signal: AbortSignal | undefined,
): Promise<ColumnFacts> => factsOf(await fieldsOrNone(data, address, signal));

const hasMetadata = (format: ExportFormat): boolean =>
  format === 'parquet' || format === 'xlsx' || format === 'las';

interface UnitsRequest extends Pick<DetailsPlan, 'query' | 'calculation'> {
  readonly aggregation?: Aggregation | null | undefined;
  readonly units: ExportUnits;
  /** The unit of depths, where the dataset doesn't have it. */
  readonly depthUnit?: DepthUnit | undefined;
}

/**
 * The units and descriptions of the columns of a file, and the units to convert.
 * @throws AppError of {@link readFields}; if units are to be converted, also if only some fields can be read
 *   and the cause is temporary, or none of them has a unit
 */
async function readConverted(
  data: DataService,
  address: DatasetAddress,
  { query, units, depthUnit, calculation, aggregation }: UnitsRequest,
  signal: AbortSignal | undefined,
): Promise<ColumnDetails> {
  const calculated = calculatedFields(calculation);
  const { fields, problem } = await readFields(data, ofWells(address, { query, aggregation }), signal);
  const hasUnits =
    depthUnit !== undefined ||
    calculated.length > 0 ||
    problem?.code === 'refused' ||
    fields.some(({ unit }) => unit !== undefined);
  if (problem && units !== 'stored' && (isPassing(problem) || !hasUnits)) throw fromBody(problem);
  const inUnit = fieldsIn(aggregation, fields).map((field) =>
    field.path === depthPath ? { ...field, unit: field.unit ?? depthUnit } : field,
  );
  return columnsIn([...inUnit, ...calculated], units);
}

/**
 * The same for a file with stored units, which is written without descriptions if they can't be read.
 * @throws AppError as {@link readConverted} if units are to be converted
 */
async function readColumns(
  data: DataService,
  { address, ...request }: UnitsRequest & Pick<DetailsPlan, 'address' | 'format'>,
  signal: AbortSignal,
): Promise<ColumnDetails> {
  const { units, format, aggregation } = request;
  if (units !== 'stored') return readConverted(data, address, request, signal);
  const fields = hasMetadata(format) ? await fieldsOrNone(data, ofWells(address, request), signal) : [];
  return { columns: factsOf(fieldsIn(aggregation, fields)), unitChanges: {} };
}

/**
 * The same for a LAS file, which would be read in the wrong unit without that of its depths. They are decided before the
 * job starts.
 * @throws AppError `invalid_input` if neither the catalogue of fields nor the request has it; errors of the data service
 */
export async function readLasColumns(
  data: DataService,
  address: DatasetAddress,
  request: UnitsRequest,
  signal: AbortSignal | undefined,
): Promise<ColumnDetails> {
  const details = await readConverted(data, address, request, signal);
  if (details.columns[depthPath]?.unit === undefined)
    throw invalidInput(
      'A LAS file needs the unit of its depths, which the dataset doesn’t specify. Select it, or add --depth-unit ft or --depth-unit m.',
      { field: 'depthUnit' },
    );
  return details;
}

/** The units and descriptions of fields in a system of units, and which numbers have to be converted. Lists aren't. */
export function columnsIn(fields: readonly WrittenField[], system: ExportUnits): ColumnDetails {
  const lists = fields.filter(({ types }) => types.includes('array')).map(({ path }) => path);
  const isInList = (path: string): boolean => lists.some((list) => isUnder(path, list));
  const columns = factsOf(fields);
  const changes: Record<string, UnitChanges[string]> = {};
  for (const { path, unit: text } of fields) {
    const change =
      text === undefined || isInList(path) || system === 'stored' ? null : changeOf(text, system, path);
    if (text === undefined || !change) continue;
    changes[path] = { from: text, to: change.to.symbol };
    columns[path] = { ...columns[path], unit: shownUnit(change.to) };
  }
  return { columns, unitChanges: changes };
}

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
