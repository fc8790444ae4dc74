import {
  datasetShapes,
  type Dataset,
  type DatasetAddress,
  type DatasetFields,
} from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { DataService } from '../../services/services.ts';
import { getDataset } from '../definitions.ts';
import { asProblem, readingOf } from '../reading.ts';
import { findScope, scopeFieldsOf, type ChosenWells } from '../scope.ts';
import { knownFields } from './known-fields.ts';
import { sampleRecords, type Sample } from './sample.ts';

/** More wells than these are not named in the query for a sample. */
const mostWells = 50;
/** A sample is no reason to try for minutes. */
const tries = 3;

type Asked = DatasetAddress & ChosenWells;

/**
 * The fields of a dataset by its type, its definition and a sample of its records. What can't be read is left out and
 * said: whoever may not see a definition may still read records, and the other way round.
 * @throws AppError when neither definition nor records can be read
 */
export async function fieldsOf(
  data: DataService,
  { provider, dataset, assets, companies }: Asked,
  signal: AbortSignal | undefined,
): Promise<DatasetFields> {
  const address = { provider, dataset };
  const wells = { assets: assets.slice(0, mostWells), companies: companies.slice(0, mostWells) };
  const definition = await getDataset(data, address, { signal }).catch(asProblem);
  const known: Pick<Dataset, 'type' | 'schema'> =
    definition instanceof AppError ? { type: null, schema: {} } : definition;
  const read = readingOf(data, address, known.type);
  const found = await sample(known, wells, read, signal).catch(asProblem);
  if (found instanceof AppError && definition instanceof AppError) throw definition;
  const problem = [definition, found].find((each) => each instanceof AppError);
  const { records, of, scope }: SampleOfScope =
    found instanceof AppError
      ? { records: [], of: 'none', scope: scopeFieldsOf(known.type)[0] ?? null }
      : found;
  return {
    ...knownFields(known, records),
    sampled: records.length,
    of,
    scope,
    ...(problem ? { problem: problem.toBody() } : {}),
  };
}

type SampleOfScope = Sample & Pick<DatasetFields, 'scope'>;

async function sample(
  { type }: Pick<Dataset, 'type'>,
  wells: ChosenWells,
  read: ReturnType<typeof readingOf>,
  signal: AbortSignal | undefined,
): Promise<SampleOfScope> {
  const options = { signal, tries };
  const scope = await findScope(type, wells, read, options);
  const indexField = type === null ? null : datasetShapes[type].indexField;
  const found = await sampleRecords(scope, wells, { read, indexField }, options);
  return { ...found, scope: scope.field };
}
