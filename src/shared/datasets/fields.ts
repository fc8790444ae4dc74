import * as z from 'zod';
import type { DatasetType } from './datasets.ts';

/**
 * The types of a field's values, in display order; `date` is a time as text, `integer` a number without a
 * fraction.
 */
export const fieldType = z.enum([
  'number',
  'integer',
  'string',
  'boolean',
  'date',
  'object',
  'array',
  'null',
]);
export type FieldType = z.infer<typeof fieldType>;

export const datasetField = z.object({
  /** Dotted, such as `data.rop`. */
  path: z.string(),
  /** The source: the dataset's type, its definition, or sampled records. */
  from: z.enum(['type', 'definition', 'sample']),
  /** The observed or declared types; empty if unknown. */
  types: z.array(fieldType),
  unit: z.string().optional(),
  description: z.string().optional(),
  /** An unchanged value, as JSON text. */
  example: z.string().optional(),
  /** The distinct texts of a field that has few of them, most frequent first. */
  values: z.array(z.string()).optional(),
  /** The lowest and highest number in the sampled records. */
  range: z.object({ min: z.number(), max: z.number() }).optional(),
  /** Shares of the sampled records, 0–1: of those in which the field is null, and of those without it. */
  nulls: z.number().optional(),
  absent: z.number().optional(),
  /** Numbers that probably mean null, such as -999.25, with their share of the sampled records. */
  tokens: z.array(z.object({ value: z.number(), share: z.number() })).optional(),
});
export type DatasetField = z.infer<typeof datasetField>;

/** Whether a field has numbers, perhaps among other values. */
export const hasNumbers = ({ types }: Pick<DatasetField, 'types'>): boolean =>
  types.includes('number') || types.includes('integer');

/** Whether a field has dates as text, and no numbers. */
export const hasDatesAsText = (field: DatasetField | undefined): boolean =>
  field?.types.includes('date') === true && !hasNumbers(field);

/** The fields that are in no list. The lists themselves are among them. */
export function outsideLists(fields: readonly DatasetField[]): readonly DatasetField[] {
  const lists = fields.filter(({ types }) => types.includes('array')).map(({ path }) => `${path}.`);
  return fields.filter(({ path }) => lists.every((list) => !path.startsWith(list)));
}

/** The units by path of the fields that have one. */
export const unitsByPath = (
  fields: readonly Pick<DatasetField, 'path' | 'unit'>[],
): ReadonlyMap<string, string> =>
  new Map(fields.flatMap(({ path, unit }) => (unit === undefined ? [] : [[path, unit] as const])));

/**
 * In which units a dataset stores numbers, by path. Null: the field has numbers, but its unit isn't known. Absent: it has
 * neither, so that the first upload decides. If `*` is null, no records could be read, and absent fields are unknown, too.
 */
export const storedUnits = z.record(z.string(), z.string().nullable());
export type StoredUnits = z.infer<typeof storedUnits>;

/** The units in which a dataset stores its fields. @param isSampled false: other fields can have numbers too */
export const storedUnitsOf = (
  fields: readonly Pick<DatasetField, 'path' | 'unit' | 'range'>[],
  isSampled = true,
): StoredUnits => ({
  ...Object.fromEntries(
    fields.flatMap(({ path, unit, range }) =>
      unit === undefined && range === undefined ? [] : [[path, unit ?? null]],
    ),
  ),
  ...(isSampled ? {} : { '*': null }),
});

/** The unit of a field; null: it isn't known; undefined: the first upload decides. */
export const storedUnit = (stored: StoredUnits, path: string): string | null | undefined =>
  stored[Object.hasOwn(stored, path) ? path : '*'];

type Envelope = readonly [path: string, type: FieldType, description: string, unit?: string];

// Section 2.1 of the specification.
const everywhere: readonly Envelope[] = [
  ['_id', 'string', 'ID of the record'],
  ['company_id', 'integer', 'Company that owns the record'],
  ['asset_id', 'integer', 'Platform asset, commonly a well'],
  ['version', 'integer', 'Version that the writer set'],
  ['provider', 'string', 'Provider of the dataset'],
  ['collection', 'string', 'Name of the dataset'],
];
const timestamp: Envelope = ['timestamp', 'integer', 'Unix time in milliseconds', 'ms'];
const depth: readonly Envelope[] = [
  ['measured_depth', 'number', 'Measured depth'],
  ['log_identifier', 'string', 'Which log or app stream the depths belong to'],
];
const stage: Envelope = ['stage_number', 'integer', 'Completion stage'];
const datetime: Envelope = ['datetime', 'date', 'Time in ISO 8601'];
const metadata: readonly Envelope[] = [
  ['metadata', 'object', 'What the series belongs to'],
  ['metadata.asset_id', 'integer', 'Platform asset, commonly a well'],
  ['metadata.company_id', 'integer', 'Company that owns the record'],
];
const payload: Envelope = ['data', 'object', 'Values of the record'];

const ownFields: Record<DatasetType, readonly Envelope[]> = {
  time: [timestamp, stage],
  depth: [...depth, stage],
  reference: [stage],
  timeseries: [datetime, ...metadata],
};
// A timeseries names its well in its metadata.
const notOf: Partial<Record<DatasetType, readonly string[]>> = { timeseries: ['asset_id', 'company_id'] };

/** The fields of a type's records by the specification (section 2.1); all of them for an unknown type. */
export function envelopeFields(type: DatasetType | null): DatasetField[] {
  const of = type === null ? [timestamp, ...depth, stage, datetime, ...metadata] : ownFields[type];
  const left = type === null ? [] : (notOf[type] ?? []);
  return [...everywhere.filter(([path]) => !left.includes(path)), ...of, payload].map(
    ([path, kind, description, unit]) => ({
      path,
      from: 'type',
      types: [kind],
      description,
      ...(unit === undefined ? {} : { unit }),
    }),
  );
}
