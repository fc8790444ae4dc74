import { type DatasetType, datasetTypes } from '../shared/datasets/datasets.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import type { Identity } from './auth.ts';
import { cycled } from './random.ts';
import { type Answer, type Call, Problem, forms } from './service.ts';
import { Collection, type IndexShape } from './store.ts';

const scope = ['company_id', 'asset_id'];

/** What scopes the records of a type, what orders them (without a field, their ids), and the index in its definition. */
export const indexShapes: Readonly<Record<DatasetType, IndexShape & { readonly index: Record<string, 1 | -1> }>> = {
  time: { scopePaths: scope, keyPath: 'timestamp', index: { asset_id: 1, timestamp: -1 } },
  depth: { scopePaths: [...scope, 'log_identifier'], keyPath: 'measured_depth', index: { asset_id: 1, log_identifier: 1, measured_depth: 1 } },
  reference: { scopePaths: scope, keyPath: '_id', index: { asset_id: 1 } },
  timeseries: { scopePaths: [...scope, 'metadata.company_id', 'metadata.asset_id'], keyPath: 'datetime', index: { 'metadata.asset_id': 1, datetime: -1 } },
}; // oxfmt-ignore

/** What most datasets have. */
const usual = {
  provider: 'demo',
  companyId: 1,
  temporary: false,
  /** Who may read and write; `request` means only after permission is granted. */
  read: 'open',
  write: 'open',
  /** Whether the dataset is hidden from other companies. */
  hidden: false,
};

type Others = Partial<typeof usual> & { plottable?: boolean; schema?: JsonObject };
type Draft = readonly [name: string, friendlyName: string, about: string, type: DatasetType, others?: Others];

/** A dataset: its definition, and its records. */
export type Dataset = Readonly<ReturnType<typeof makeDataset>>;

function makeDataset([name, friendlyName, description, type, others]: Draft, before: number) {
  const id = before + 1;
  return {
    ...usual,
    id,
    name,
    friendlyName,
    description,
    type,
    plottable: type !== 'reference',
    schema: {},
    ...others,
    collection: new Collection(indexShapes[type], `66f1${id.toString(16).padStart(4, '0')}0000`),
  };
}

/** What an identity may do with a dataset; `see` is whether it exists for it at all. */
const may = {
  see: (who: Identity, { hidden, companyId }: Dataset) =>
    !hidden || companyId === who.companyId || who.level === 'admin',
  read: (who: Identity, { read }: Dataset) => read === 'open' || who.level === 'admin',
  write: (who: Identity, { read, write }: Dataset) =>
    who.level === 'admin' || (who.level === 'write' && write === 'open' && read === 'open'),
};

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

function indexes(type: DatasetType): JsonValue[] {
  const paths = Object.entries(indexShapes[type].index);
  const fields = paths.map(([path, direction]) => ({ [path]: direction }));
  return [
    { name: '_id_', fields: [{ _id: 1 }], unique: true, status: 'ready' },
    { name: paths.flat().join('_'), fields, unique: false, status: 'ready' },
  ];
}

const bytesPerRecord = 420;

function statistics({ collection: { length } }: Dataset): JsonObject {
  const size = length * bytesPerRecord;
  return { size, count: length, storage_size: Math.ceil(size / 3), index_size: length * 24 };
}

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

/** The datasets whose records are generated from the seed, by name. */
const sampleDrafts = {
  wits: ['wits', 'WITS', 'Drilling data, one record a second', 'time', { schema: { default_units: witsUnits } }],
  depth: ['drilling.wits.depth', 'Depth logs', 'Drilling data averaged by depth', 'depth', { schema: { default_units: depthUnits } }],
  completion: ['completion.wits', 'Completion WITS', 'Stimulation data by stage, one record a second', 'time', { schema: { data: { elapsed_time: 3600, wellhead_pressure: 9120 }, stage_number: 12 } }],
  summary: ['wits.summary-1ft', 'WITS summary, 1 ft', 'Min, max, and mean of each foot', 'depth', { write: 'request' }],
  sensors: ['sensors.pad', 'Pad sensors', 'Weather and gas readings on the pad, every ten seconds', 'timeseries'],
  survey: ['data.actual_survey', 'Actual surveys', 'Survey stations of each well', 'reference', { schema: { default_units: { stations: surveyUnits } } }],
  formations: ['data.formations', 'Formations', 'Formation tops', 'reference', { schema: { default_units: { md: 'ft', td: 'ft' } } }],
  sections: ['data.well-sections', 'Well sections', 'Hole sections with diameters and depths', 'reference', { write: 'request' }],
  stageTimes: ['completion.stage-times', 'Stage times', 'When each stage was pumped', 'reference'],
  northern: ['wits', 'Northern WITS', "The other company's own", 'time', { provider: 'northern', companyId: 2, hidden: true }],
} as const satisfies Record<string, Draft>; // oxfmt-ignore

const otherDrafts: readonly Draft[] = [
  ...(['time', 'depth', 'reference', 'timeseries'] as const).map(
    (type): Draft => [`uploads.${type}`, `Uploads (${type})`, `Empty dataset for your own files (${type})`, type],
  ),
  ['mudlog.trial', 'Mud log, trial', 'Trial without records', 'depth', { temporary: true, plottable: false }],
  ['frac.confidential', 'Frac design, confidential', 'Listed for everyone, access on request', 'time', { read: 'request', write: 'request' }],
  ['production.allocated', 'Allocated production', 'Monthly volumes of the joint venture', 'reference', { companyId: 2 }],
]; // oxfmt-ignore

/** All datasets by `provider/name`. */
export interface Catalogue {
  readonly samples: Readonly<Record<keyof typeof sampleDrafts, Dataset>>;
  readonly all: ReadonlyMap<string, Dataset>;
}

const areas = ['fluids', 'geology', 'cementing', 'logistics', 'safety', 'completion'] as const;

function filler(at: number): Draft {
  const area = cycled(areas, at);
  const name = `${area}.report-${String(at).padStart(4, '0')}`;
  return [
    name,
    `Report ${String(at)}, ${area}`,
    '',
    cycled(datasetTypes, at),
    { companyId: at % 5 === 4 ? 2 : 1 },
  ];
}

/** The datasets, with empty ones added to reach the number in the options. */
export function buildCatalogue(atLeast: number): Catalogue {
  const drafts = [...Object.values(sampleDrafts), ...otherDrafts];
  while (drafts.length < atLeast) drafts.push(filler(drafts.length));
  const list = drafts.map(makeDataset);
  const names = Object.keys(sampleDrafts);
  return {
    samples: Object.fromEntries(names.map((name, at) => [name, list[at]])) as Record<
      keyof typeof sampleDrafts,
      Dataset
    >,
    all: new Map(list.map((dataset) => [`${dataset.provider}/${dataset.name}`, dataset])),
  };
}

/** The datasets that the sender sees, and whose values are as the flags of these names ask for. */
function visibleDatasets(
  { service, identity, params }: Call,
  ...flags: ('plottable' | 'temporary')[]
): Dataset[] {
  const wanted = flags.map((flag) => [flag, params.read(flag, forms.flag)] as const);
  return [...service.catalogue.all.values()].filter(
    (dataset) =>
      may.see(identity, dataset) &&
      wanted.every(([flag, value]) => (value ?? dataset[flag]) === dataset[flag]),
  );
}

/** `GET /api/v1/dataset/`: the definitions that are visible to the sender (specification, section 4.1). */
export function listDatasets(call: Call): Answer {
  const search = (call.params.read('search', forms.text) ?? '').toLowerCase();
  const datasets = visibleDatasets(call, 'plottable', 'temporary')
    .filter(({ name }) => name.toLowerCase().includes(search))
    .map((dataset) => definition(dataset, false));
  return { status: 200, body: JSON.stringify(datasets) };
}

/** `GET /api/v1/dataset/company/`: the datasets by company name. */
export function listByCompany(call: Call): Answer {
  const { companies } = call.service.world;
  const wanted = call.params.texts('type', datasetTypes).at(-1);
  const datasets = visibleDatasets(call, 'plottable').filter(({ type }) => (wanted ?? type) === type);
  const byCompany = Map.groupBy(datasets, ({ companyId }) => companies.find(({ id }) => id === companyId));
  const lists = [...byCompany].map(([company, list]) => [
    company?.name ?? '',
    list.map(({ id, provider, name, type }) => ({ id, provider, name, type })),
  ]);
  return { status: 200, body: JSON.stringify(Object.fromEntries(lists)) };
}

/** `GET /api/v1/dataset/{provider}/{name}/`: one definition, with its indexes and statistics. */
export function singleDataset(call: Call, provider = '', name = ''): Answer {
  return { status: 200, body: JSON.stringify(definition(datasetAt(call, provider, name), true)) };
}

/**
 * The dataset of a path.
 * @throws Problem 404 if it doesn't exist or is hidden from this identity; 403 if this identity may not use it so
 */
export function datasetAt(
  { service, identity }: Call,
  provider: string,
  name: string,
  action: keyof typeof may = 'see',
): Dataset {
  const plain = name.startsWith(`${provider}#`) ? name.slice(provider.length + 1) : name;
  const dataset = service.catalogue.all.get(`${provider}/${plain}`);
  if (!dataset || !may.see(identity, dataset))
    throw new Problem(404, `there is no dataset ${provider}/${name}`);
  if (!may[action](identity, dataset))
    throw new Problem(403, `no permission to ${action} ${provider}/${name}`);
  return dataset;
}
