import type { DatasetType } from './datasets.ts';
import type { DatasetField, FieldType } from './fields.ts';

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
