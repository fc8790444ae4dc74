import type { Dataset, DatasetAddress, DatasetFields } from '../../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../../shared/datasets/shapes.ts';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import type { CallOptions, DataService } from '../../wire/services/services.ts';
import { getDataset } from '../definitions.ts';
import { toProblem, createEndReader } from '../end-reader.ts';
import { findScope, scopeFieldsOf, type SelectedWells } from '../scope.ts';
import { combineFields } from './combine-fields.ts';
import { sampleRecords, type Sample, type SampleReaders } from './sample.ts';

/** More wells than these are not named in the query for a sample. */
const maxWells = 50;
/** A sample isn't worth minutes of retries. */
const maxTries = 3;

/** Without wells, the sample is of any. */
type FieldsRequest = DatasetAddress & Partial<SelectedWells>;

/**
 * The catalogue of a dataset's fields, the only place where their names, types, units, and null values are determined:
 * from its type, its definition, a sample of its records, and the units that the application remembers. A source that can't be
 * read is reported in the result: permission for definitions and for records are independent.
 * @throws AppError when neither definition nor records can be read
 */
export async function readFields(
  data: DataService,
  { provider, dataset, assets = [], companies = [] }: FieldsRequest,
  signal: AbortSignal | undefined,
): Promise<DatasetFields> {
  const address = { provider, dataset };
  const wells = { assets: assets.slice(0, maxWells), companies: companies.slice(0, maxWells) };
  const definition = await getDataset(data, address, { signal }).catch(toProblem);
  const knownDefinition: Pick<Dataset, 'type' | 'schema'> =
    definition instanceof AppError ? { type: null, schema: {} } : definition;
  const read = createEndReader(data, address, knownDefinition.type);
  const readInserted = createEndReader(data, address, null);
  const sampleOfScope = await sample(knownDefinition, wells, { read, readInserted }, signal).catch(toProblem);
  if (sampleOfScope instanceof AppError && definition instanceof AppError) throw definition;
  const problem = [definition, sampleOfScope].find((result) => result instanceof AppError);
  const { records, of, scope }: SampleOfScope =
    sampleOfScope instanceof AppError
      ? { records: [], of: 'none', scope: scopeFieldsOf(knownDefinition.type)[0] ?? null }
      : sampleOfScope;
  const units = (await data.fieldUnits?.(address)) ?? {};
  return {
    ...combineFields(knownDefinition, records, units),
    sampled: records.length,
    of,
    scope,
    ...(problem ? { problem: problem.toBody() } : {}),
  };
}

/**
 * The fields of a dataset, for work that continues without them.
 * @returns as {@link readFields}; none if they can't be read
 * @throws AppError `cancelled`
 */
export const fieldsOrNone = (
  data: DataService,
  request: FieldsRequest,
  signal: AbortSignal | undefined,
): Promise<DatasetFields['fields']> =>
  readFields(data, request, signal).then(
    ({ fields }) => fields,
    (error: unknown) => {
      if (isAppError(error, 'cancelled')) throw error;
      return [];
    },
  );

type SampleOfScope = Sample & Pick<DatasetFields, 'scope'>;

async function sample(
  { type }: Pick<Dataset, 'type'>,
  wells: SelectedWells,
  { read, readInserted }: Omit<SampleReaders, 'indexField'>,
  signal: AbortSignal | undefined,
): Promise<SampleOfScope> {
  const options: CallOptions = { signal, maxTries };
  const scope = await findScope(type, wells, read, options);
  const indexField = type === null ? null : datasetShapes[type].indexField;
  const sampleOfScope = await sampleRecords(scope, wells, { read, readInserted, indexField }, options);
  return { ...sampleOfScope, scope: scope.field };
}
