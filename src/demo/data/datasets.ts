import { type DatasetType, datasetTypes } from '../../shared/datasets/datasets.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Identity } from '../auth.ts';
import { type Answer, type Call, Problem } from '../service.ts';
import { Collection, type IndexShape } from '../store.ts';

/** A dataset: its definition, and its records. */
export interface Dataset {
  readonly id: number;
  readonly provider: string;
  readonly name: string;
  readonly friendlyName: string;
  readonly description: string;
  readonly type: DatasetType;
  readonly companyId: number;
  readonly plottable: boolean;
  readonly temporary: boolean;
  /** Who may read and write; `request` means only after permission is granted. */
  readonly read: 'open' | 'request';
  readonly write: 'open' | 'request';
  /** Whether the dataset is hidden from other companies. */
  readonly hidden: boolean;
  readonly schema: JsonObject;
  readonly collection: Collection;
}

type Required = 'provider' | 'name' | 'friendlyName' | 'description' | 'type';
type DatasetDraft = Pick<Dataset, Required> & Partial<Omit<Dataset, 'id' | 'collection'>>;

const scope = ['company_id', 'asset_id'];

/** What scopes the records of a type, and what orders them: without a field, their ids. */
export const indexShapes: Readonly<Record<DatasetType, IndexShape>> = {
  time: { scopePaths: scope, keyPath: 'timestamp' },
  depth: { scopePaths: [...scope, 'log_identifier'], keyPath: 'measured_depth' },
  reference: { scopePaths: scope, keyPath: '_id' },
  timeseries: { scopePaths: [...scope, 'metadata.company_id', 'metadata.asset_id'], keyPath: 'datetime' },
};

/** A dataset from its draft; ids start at 1. */
function makeDataset(id: number, draft: DatasetDraft): Dataset {
  return {
    companyId: 1,
    plottable: draft.type !== 'reference',
    temporary: false,
    read: 'open',
    write: 'open',
    hidden: false,
    schema: {},
    ...draft,
    id,
    collection: new Collection(indexShapes[draft.type], `66f1${id.toString(16).padStart(4, '0')}0000`),
  };
}

/** Whether a dataset is visible to an identity at all. */
function canSee(who: Identity, dataset: Dataset): boolean {
  return !dataset.hidden || dataset.companyId === who.companyId || who.level === 'admin';
}

export function mayRead(who: Identity, dataset: Dataset): boolean {
  return dataset.read === 'open' || who.level === 'admin';
}

export function mayWrite(who: Identity, dataset: Dataset): boolean {
  return (
    who.level === 'admin' || (who.level === 'write' && dataset.write === 'open' && mayRead(who, dataset))
  );
}

/**
 * A dataset as lists show it: `indexes` and `statistics` are empty there, and present only in the single definition.
 */
function definition(dataset: Dataset, whole: boolean): JsonObject {
  return {
    id: dataset.id,
    company_id: dataset.companyId,
    provider: dataset.provider,
    name: `${dataset.provider}#${dataset.name}`,
    friendly_name: dataset.friendlyName,
    description: dataset.description,
    schema: dataset.schema,
    data_type: dataset.type,
    plottable: dataset.plottable,
    temporary: dataset.temporary,
    permission_workflow: { read: dataset.read, write: dataset.write, delete: 'request' },
    indexes: whole ? indexes(dataset.type) : [],
    statistics: whole ? statistics(dataset) : { size: 0, count: 0, storage_size: 0, index_size: 0 },
  };
}

const indexFields: Readonly<Record<DatasetType, Readonly<Record<string, 1 | -1>>>> = {
  time: { asset_id: 1, timestamp: -1 },
  depth: { asset_id: 1, log_identifier: 1, measured_depth: 1 },
  reference: { asset_id: 1 },
  timeseries: { 'metadata.asset_id': 1, datetime: -1 },
};

function indexes(type: DatasetType): JsonValue[] {
  const paths = Object.entries(indexFields[type]);
  const fields = paths.map(([path, direction]) => ({ [path]: direction }));
  return [
    { name: '_id_', fields: [{ _id: 1 }], unique: true, status: 'ready' },
    { name: paths.flat().join('_'), fields, unique: false, status: 'ready' },
  ];
}

const bytesPerRecord = 420;

function statistics({ collection: { length, statistics: { inserted, insertedBytes } } }: Dataset): JsonObject {
  const size = (length - inserted) * bytesPerRecord + insertedBytes;
  return { size, count: length, storage_size: Math.ceil(size / 3), index_size: length * 24 };
} // oxfmt-ignore

const witsUnits: JsonObject = {
  hole_depth: 'ft', bit_depth: 'ft', block_height: 'ft', rop: 'ft/h', weight_on_bit: 'klbf', hook_load: 'klbf',
  rotary_rpm: 'rpm', rotary_torque: 'ft·klbf', standpipe_pressure: 'psi', diff_press: 'psi', mud_flow_in: 'gal/min', mud_flow_out: 'gal/min',
  pump_spm_total: 'spm', gamma_ray: 'API', active_pit_volume: 'bbl',
}; // oxfmt-ignore

const depthUnits: JsonObject = {
  dep: 'ft', tvd: 'ft', ropa: 'ft/h', wobavg: 'klbf', tqabav: 'ft·klbf', sppavg: 'psi', ghcavg: 'API',
}; // oxfmt-ignore
const surveyUnits: JsonObject = {
  measured_depth: 'ft', inclination: 'deg', azimuth: 'deg', tvd: 'ft', northing: 'ft', easting: 'ft', dls: 'deg/100ft',
}; // oxfmt-ignore

const demoDraft = (
  name: string,
  friendlyName: string,
  description: string,
  type: DatasetType,
  others: Partial<DatasetDraft> = {},
): DatasetDraft => ({ provider: 'demo', name, friendlyName, description, type, ...others });

/** The datasets whose records are generated from the seed, by name. */
const sampleDrafts = {
  wits: demoDraft('wits', 'WITS', 'Drilling data, one record a second', 'time', { schema: { default_units: witsUnits } }),
  depth: demoDraft('drilling.wits.depth', 'Depth logs', 'Drilling data averaged by depth', 'depth', { schema: { default_units: depthUnits } }),
  completion: demoDraft('completion.wits', 'Completion WITS', 'Stimulation data by stage, one record a second', 'time', { schema: { data: { elapsed_time: 3600, wellhead_pressure: 9120 }, stage_number: 12 } }),
  summary: demoDraft('wits.summary-1ft', 'WITS summary, 1 ft', 'Min, max, and mean of each foot', 'depth', { write: 'request' }),
  sensors: demoDraft('sensors.pad', 'Pad sensors', 'Weather and gas readings on the pad, every ten seconds', 'timeseries'),
  survey: demoDraft('data.actual_survey', 'Actual surveys', 'Survey stations of each well', 'reference', { schema: { default_units: { stations: surveyUnits } } }),
  formations: demoDraft('data.formations', 'Formations', 'Formation tops', 'reference', { schema: { default_units: { md: 'ft', td: 'ft' } } }),
  sections: demoDraft('data.well-sections', 'Well sections', 'Hole sections with diameters and depths', 'reference', { write: 'request' }),
  stageTimes: demoDraft('completion.stage-times', 'Stage times', 'When each stage was pumped', 'reference'),
}; // oxfmt-ignore

type SampleName = keyof typeof sampleDrafts;

const otherDrafts: readonly DatasetDraft[] = [
  ...(['time', 'depth', 'reference', 'timeseries'] as const).map((type) =>
    demoDraft(`uploads.${type}`, `Uploads (${type})`, `Empty dataset for your own files (${type})`, type),
  ),
  demoDraft('mudlog.trial', 'Mud log, trial', 'Trial without records', 'depth', { temporary: true, plottable: false }),
  demoDraft('frac.confidential', 'Frac design, confidential', 'Listed for everyone, access on request', 'time', { read: 'request', write: 'request' }),
  demoDraft('production.allocated', 'Allocated production', 'Monthly volumes of the joint venture', 'reference', { companyId: 2 }),
]; // oxfmt-ignore

const northernDraft = demoDraft('wits', 'Northern WITS', "The other company's own", 'time', {
  provider: 'northern',
  companyId: 2,
  hidden: true,
});

/** All datasets by `provider/name`. */
export interface Catalogue {
  readonly samples: Readonly<Record<SampleName, Dataset>>;
  /** The other company's drilling data, hidden from everyone else. */
  readonly northern: Dataset;
  readonly all: ReadonlyMap<string, Dataset>;
}

const areas = ['fluids', 'geology', 'cementing', 'logistics', 'safety', 'completion'] as const;

/** The datasets, with empty ones added to reach the number in the options. */
export function buildCatalogue(atLeast: number): Catalogue {
  let id = 0;
  const make = (draft: DatasetDraft): Dataset => makeDataset((id += 1), draft);
  const named = Object.entries(sampleDrafts).map(([name, draft]) => [name, make(draft)] as const);
  const samples = Object.fromEntries(named) as Record<SampleName, Dataset>;
  const northern = make(northernDraft);
  const list = [...Object.values(samples), ...otherDrafts.map(make), northern];
  while (list.length < atLeast) list.push(make(filler(list.length)));
  return {
    samples,
    northern,
    all: new Map(list.map((dataset) => [`${dataset.provider}/${dataset.name}`, dataset])),
  };
}

function filler(at: number): DatasetDraft {
  const area = areas[at % areas.length] ?? 'fluids';
  const type = datasetTypes[at % datasetTypes.length] ?? 'time';
  const name = `${area}.report-${String(at).padStart(4, '0')}`;
  return demoDraft(name, `Report ${String(at)}, ${area}`, '', type, { companyId: at % 5 === 4 ? 2 : 1 });
}

/** The datasets that the sender sees; with `plottable`, only those that are plottable, or only the others. */
function visibleDatasets({ service, identity, params }: Call): Dataset[] {
  const plottable = params.flag('plottable');
  return [...service.catalogue.all.values()].filter(
    (dataset) => canSee(identity, dataset) && (plottable ?? dataset.plottable) === dataset.plottable,
  );
}

/** `GET /api/v1/dataset/`: the definitions that are visible to the sender (specification, section 4.1). */
export function listDatasets(call: Call): Answer {
  const search = (call.params.text('search') ?? '').toLowerCase();
  const temporary = call.params.flag('temporary');
  const datasets = visibleDatasets(call).filter(
    (dataset) =>
      dataset.name.toLowerCase().includes(search) && (temporary ?? dataset.temporary) === dataset.temporary,
  );
  return { status: 200, body: JSON.stringify(datasets.map((dataset) => definition(dataset, false))) };
}

/** `GET /api/v1/dataset/company/`: the datasets by company name. */
export function listByCompany(call: Call): Answer {
  const { companies } = call.service.world;
  const wanted = call.params.words('type', datasetTypes).at(-1);
  const datasets = visibleDatasets(call).filter(({ type }) => (wanted ?? type) === type);
  const byCompany = Map.groupBy(datasets, ({ companyId }) => companies.find(({ id }) => id === companyId));
  const lists = [...byCompany].map(([company, list]) => [
    company?.name ?? '',
    list.map(({ id, provider, name, type }) => ({ id, provider, name, type })),
  ]);
  return { status: 200, body: JSON.stringify(Object.fromEntries(lists)) };
}

/** `GET /api/v1/dataset/{provider}/{name}/`: one definition, with its indexes and statistics. */
export function singleDataset(call: Call, provider = '', name = ''): Answer {
  return { status: 200, body: JSON.stringify(definition(knownDataset(call, provider, name), true)) };
}

/** The dataset of a path. @throws Problem 404 if it doesn't exist or is hidden from this identity */
export function knownDataset({ service, identity }: Call, provider: string, name: string): Dataset {
  const plain = name.startsWith(`${provider}#`) ? name.slice(provider.length + 1) : name;
  const dataset = service.catalogue.all.get(`${provider}/${plain}`);
  if (!dataset || !canSee(identity, dataset))
    throw new Problem(404, `there is no dataset ${provider}/${name}`);
  return dataset;
}

/**
 * The dataset of a path.
 * @throws Problem 404 if it doesn't exist or is hidden from this identity; 403 if this identity may not read it
 */
export function readableDataset(call: Call, provider: string, name: string): Dataset {
  const dataset = knownDataset(call, provider, name);
  if (!mayRead(call.identity, dataset)) throw new Problem(403, `no permission to read ${provider}/${name}`);
  return dataset;
}
