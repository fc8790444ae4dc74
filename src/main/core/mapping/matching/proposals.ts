import type { Synonyms } from '../../../../shared/channels/channels.ts';
import type { calls } from '../../../../shared/contract/contract.ts';
import type {
  Dataset,
  DatasetAddress,
  DatasetFields,
  DatasetType,
} from '../../../../shared/datasets/datasets.ts';
import { datasetShapes, timeFieldOf } from '../../../../shared/datasets/shapes.ts';
import { isAppError } from '../../../../shared/errors/errors.ts';
import { runForEach } from '../../../../shared/lists.ts';
import { storedUnitsOf, type StoredUnits } from '../../../../shared/datasets/fields.ts';
import type { DatasetForFile } from '../../../../shared/upload/proposals.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { listDatasets } from '../../datasets/definitions.ts';
import { createEndReader } from '../../datasets/end-reader.ts';
import { combineFields } from '../../datasets/fields/combine-fields.ts';
import { readFields } from '../../datasets/fields/fields.ts';
import type { CallContext, ModuleHandlers } from '../../handlers.ts';
import type { DataService, Services } from '../../wire/services/services.ts';
import { fileColumns } from './match-fields.ts';
import { countFits, orderOf, propose } from './propose.ts';

type Calls = ModuleHandlers<(typeof calls)['upload']>;

interface ProposalDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly inspect: Calls['inspect'];
  /** The names of channels that the user has added. */
  readonly synonyms: () => Promise<Synonyms>;
}

/** Maximum number of datasets of which a few records are read; those with channels in their definition first. */
const maxRead = 12;
const recordsRead = 5;
const concurrentReads = 2;

/** Whether records of this type can be ordered like the file. */
function canBeOrdered(type: DatasetType | null, order: ReturnType<typeof orderOf>): boolean {
  if (order === 'depth') return type === 'depth';
  return order === null || timeFieldOf(type) !== null;
}

const hasChannels = (dataset: Dataset): boolean =>
  combineFields(dataset, []).fields.some(({ path }) => path.startsWith('data.'));

/** Whether all sampled records have the well of their type, although the type doesn't require it. */
function haveWell({ fields, sampled }: Pick<DatasetFields, 'fields' | 'sampled'>, type: DatasetType | null) {
  const path = type === null ? 'asset_id' : datasetShapes[type].scopeField;
  const { absent, nulls } = fields.find((field) => field.path === path) ?? {};
  return sampled > 0 && absent === 0 && nulls === 0;
}

/** What a dataset says about new records: the units of its fields, and whether they need a well. */
interface Expected {
  readonly storedUnits: StoredUnits;
  readonly requiresWell: boolean;
}

/**
 * What the catalogue of a dataset's fields says about new records. An upload reads it once.
 * @throws AppError if neither the definition nor records can be read
 */
export async function expectedOf(
  { data }: Pick<Services, 'data'>,
  address: DatasetAddress,
  type: DatasetType | null,
  signal: AbortSignal | undefined,
): Promise<Expected> {
  const dataset = await readFields(data, address, signal);
  return { storedUnits: storedUnitsOf(dataset.fields), requiresWell: haveWell(dataset, type) };
}

/** The fields of a dataset from its definition and a few records, as far as they can be read. */
async function fieldsOfFew(data: DataService, dataset: Dataset, signal: AbortSignal | undefined) {
  try {
    const read = createEndReader(data, dataset, dataset.type);
    return combineFields(dataset, await read({}, recordsRead, 'last', { signal, maxTries: 2 })).fields;
  } catch (error) {
    if (isAppError(error, 'cancelled')) throw error;
    return combineFields(dataset, []).fields;
  }
}

/** The datasets whose fields a file has the channels of, those with most of them first. */
async function datasetsFor(
  data: DataService,
  file: Inspection,
  synonyms: Synonyms,
  signal: AbortSignal | undefined,
): Promise<DatasetForFile[]> {
  const columns = fileColumns(file, synonyms);
  const order = orderOf(file, columns);
  const all = (await listDatasets(data, {}, { signal })).filter(({ type }) => canBeOrdered(type, order));
  const otherDatasets = all.filter(
    (definition) => !hasChannels(definition) && definition.statistics.count !== 0,
  );
  const likely = [...all.filter(hasChannels), ...otherDatasets].slice(0, maxRead);
  const datasets: DatasetForFile[] = [];
  await runForEach(likely, concurrentReads, async (dataset) => {
    const fields = await fieldsOfFew(data, dataset, signal);
    const counts = countFits(file, fields, dataset.type, synonyms, columns);
    datasets.push({ provider: dataset.provider, dataset: dataset.dataset, ...counts });
  });
  return datasets
    .filter(({ fits }) => fits > 1)
    .toSorted((a, b) => b.fits - a.fits || a.dataset.localeCompare(b.dataset));
}

/** Which fields the columns of a file belong to, and which datasets the file fits. */
export function createProposals({
  connections,
  inspect,
  synonyms,
}: ProposalDependencies): Pick<Calls, 'propose' | 'datasetsFor'> {
  type FileRequest = Pick<Parameters<Calls['datasetsFor']>[0], 'source' | 'reading'>;
  const inspected = ({ source, reading }: FileRequest, context: CallContext) =>
    inspect({ source, nulls: [], ...reading }, context);
  return {
    async propose({ connection, provider, dataset, ...request }, context) {
      const { data } = connections.services(connection);
      const address = { provider, dataset };
      const [file, datasetFields, { type }, names] = await Promise.all([
        inspected(request, context),
        readFields(data, address, context.signal),
        data.dataset(address, { signal: context.signal }),
        synonyms(),
      ]);
      return {
        ...propose(file, datasetFields.fields, type, names),
        requiresWell: haveWell(datasetFields, type),
      };
    },
    async datasetsFor({ connection, ...request }, context) {
      const [file, names] = await Promise.all([inspected(request, context), synonyms()]);
      return datasetsFor(connections.services(connection).data, file, names, context.signal);
    },
  };
}
