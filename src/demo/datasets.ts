import * as z from 'zod';
import { type DatasetType, datasetShapes, datasetTypes } from '../shared/datasets/datasets.ts';
import { type JsonObject, type JsonValue, isObject, stringifyJson, valueAt } from '../shared/json.ts';
import { type Identity, checkScope, ownCompany, visibleScopes } from './auth.ts';
import type { Faults } from './faults.ts';
import { checkedStages, readSort, runStages } from './mongo.ts';
import { cycled } from './random.ts';
import { type Answer, type Call, Problem, forms, invalid, parseBody, reset } from './service.ts';
import { Collection, type IndexShape, conditionsOf, type Reading, recordOf, type Row } from './store.ts';

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
  /** Whether only an administrator sees the dataset. */
  hidden: false,
};

type Others = Partial<typeof usual> & { plottable?: boolean; schema?: JsonObject };
type Draft = readonly [name: string, friendlyName: string, about: string, type: DatasetType, others?: Others];

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
  see: (who: Identity, { hidden }: Dataset) => !hidden || who === 'admin',
  read: (who: Identity, { read }: Dataset) => read === 'open' || who === 'admin',
  write: (who: Identity, { read, write }: Dataset) =>
    who === 'admin' || (who === 'write' && write === 'open' && read === 'open'),
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
  ...datasetTypes.map(
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
  return [name, `Report ${String(at)}, ${area}`, '', cycled(datasetTypes, at)];
}

/** The datasets, with empty ones added to reach the number in the options. */
export function buildCatalogue(atLeast: number): Catalogue {
  const drafts = [...Object.values(sampleDrafts), ...otherDrafts];
  while (drafts.length < atLeast) drafts.push(filler(drafts.length));
  const list = drafts.map(makeDataset);
  const names = Object.keys(sampleDrafts);
  return {
    samples: Object.fromEntries(names.map((name, at) => [name, list[at]])) as Catalogue['samples'],
    all: new Map(list.map((dataset) => [`${dataset.provider}/${dataset.name}`, dataset])),
  };
}

/** The datasets that the sender sees, of those that the flags of a request ask for. */
function visibleDatasets({ service, identity, params }: Call): Dataset[] {
  const plottable = params.read('plottable', forms.flag);
  const temporary = params.read('temporary', forms.flag);
  return [...service.catalogue.all.values()].filter(
    (dataset) =>
      may.see(identity, dataset) &&
      (plottable ?? dataset.plottable) === dataset.plottable &&
      (temporary ?? dataset.temporary) === dataset.temporary,
  );
}

/** `GET /api/v1/dataset/`: the definitions that are visible to the sender (specification, section 4.1). */
export function listDatasets(call: Call): Answer {
  const search = (call.params.read('search', forms.text) ?? '').toLowerCase();
  const datasets = visibleDatasets(call)
    .filter(({ name }) => name.toLowerCase().includes(search))
    .map((dataset) => definition(dataset, false));
  return { status: 200, body: JSON.stringify(datasets) };
}

/** `GET /api/v1/dataset/company/`: the datasets by company name. */
export function listByCompany(call: Call): Answer {
  const { companies } = call.service.world;
  const wanted = call.params.texts('type', datasetTypes).at(-1);
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
  return { status: 200, body: JSON.stringify(definition(datasetAt(call, provider, name), true)) };
}

/**
 * The dataset of a path.
 * @throws Problem 404 if it doesn't exist or is hidden from this identity; 403 if this identity may not perform the action
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

type Values = Readonly<Record<string, JsonValue | undefined>>;

/** The values of reads, by their forms in the query of a request. */
const { json, integer, text, flag } = forms;
const formsOfReads = {
  query: json, match: json, sort: json, group: json, project: json, stages: json,
  limit: integer, skip: integer, fields: text, include_count: flag,
}; // oxfmt-ignore

/** The values of a request, which are in the body of a POST. @throws Problem 400 or 422 if they are invalid */
async function valuesOf({ method, params, body }: Call): Promise<Values> {
  if (method === 'POST') return objectOf(parseBody(await body()), 'the body');
  return Object.fromEntries(
    Object.entries(formsOfReads).map(([name, form]) => [name, params.read<JsonValue>(name, form)]),
  );
}

/** @throws Problem 422 unless a value is a JSON object */
function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(value === undefined ? `${name} is required` : `${name} must be a JSON object`);
}

/** `GET …/count/`. */
export async function countRecords(call: Call, dataset: Dataset): Promise<Answer> {
  const { query } = await valuesOf(call);
  const count = await countMatches(call, dataset, objectOf(query, 'query'));
  return { status: 200, body: JSON.stringify({ count }) };
}

/** `GET /api/v1/data/{provider}/{dataset}/`, and `POST …/list/` (specification, section 4.1). */
export async function findRecords(call: Call, dataset: Dataset): Promise<Answer> {
  const values = await valuesOf(call);
  const query = objectOf(values['query'], 'query');
  const sort = objectOf(values['sort'], 'sort');
  const fields = values['fields'] ?? '';
  const isCounted = values['include_count'] ?? false;
  if (typeof fields !== 'string') throw invalid('fields must be a text with commas');
  if (typeof isCounted !== 'boolean') throw invalid('include_count must be true or false');
  const rows = await rowsOf(call, dataset, { query, sort, ...pageIn(values) });
  const total = isCounted && !call.service.faults.no_total;
  const headers = total ? { Total: String(await countMatches(call, dataset, query)) } : {};
  const paths = fields.split(',').map((field) => field.trim()).filter((field) => field !== ''); // oxfmt-ignore
  const kept = new Set(['_id', ...paths].map((path) => `.${path}`));
  const textOf = (row: Row): string =>
    paths.length > 0 ? stringifyJson(projected(recordOf(row), kept, '') ?? null) : row.run.text(row.at);
  return { status: 200, body: `[${rows.map(textOf).join(',')}]`, headers };
}

const countMatches = (call: Call, dataset: Dataset, query: JsonObject): Promise<number> =>
  dataset.collection.count(readingOf(call, dataset, query, {}), call.work);

/** Matching records in order, as a read needs them that an index may serve. */
interface Read {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly skip: number;
  readonly limit: number;
}

async function rowsOf(call: Call, dataset: Dataset, read: Read): Promise<readonly Row[]> {
  const reading = readingOf(call, dataset, read.query, read.sort);
  return dataset.collection.find(reading, read.skip, read.limit, call.work);
}

/**
 * Options for reading records as a sender.
 * @throws Problem 403 for an asset without access; 400 and 412 if a fault requires it
 */
function readingOf(call: Call, dataset: Dataset, query: JsonObject, sort: JsonObject): Reading {
  const { service, identity } = call;
  const { faults, dice } = service;
  checkScope(call, query);
  const conditions = conditionsOf(query);
  const scoped = conditions.some(([path]) => /(^|\.)(asset_id|company_id)$/.test(path));
  if (faults.require_scope && !scoped)
    throw new Problem(400, 'the query must contain asset_id or company_id');
  const fields = readSort(sort);
  if (faults.require_index && !dataset.collection.serves(fields))
    throw new Problem(412, 'No matching index found');
  const unmatchable = [faults.ids_unmatchable && '_id', faults.datetime_unmatchable && 'datetime'];
  const isUnmatchable = conditions.some(([path]) => unmatchable.includes(path));
  const shuffled = faults.unstable_ties && !fields.some(([path]) => path === '_id');
  return {
    query,
    sort: shuffled && fields.length > 0 ? [...fields, ['_id', dice.next('ties') < 0.5 ? 1 : -1]] : fields,
    visible: isUnmatchable ? () => false : visibleScopes(service.world, identity),
    seenBy: `${identity}, ${isUnmatchable}`,
    before: faults.stale_reads_ms > 0 ? Date.now() - faults.stale_reads_ms : undefined,
  };
}

/** @throws Problem 422 unless the limit is an integer from 1 to 10000, and skip one of 0 or more (section 8) */
function pageIn({ limit, skip: skipped }: Values): Pick<Read, 'limit' | 'skip'> {
  if (limit === undefined || limit === null) throw invalid('limit is required');
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw invalid('limit must be an integer from 1 to 10000');
  const skip = skipped ?? 0;
  if (typeof skip !== 'number' || !Number.isSafeInteger(skip) || skip < 0)
    throw invalid('skip must be 0 or more');
  return { limit, skip };
}

/** What a list of fields keeps of a value at a path; in an array, of each element. Paths begin with a dot. */
function projected(value: JsonValue, fields: ReadonlySet<string>, at: string): JsonValue | undefined {
  if (fields.has(at)) return value;
  if (Array.isArray(value))
    return value.map((element) => projected(element, fields, at)).filter((part) => part !== undefined);
  if (!isObject(value) || ![...fields].some((field) => field.startsWith(`${at}.`))) return undefined;
  const parts = Object.entries(value).flatMap(([name, part]): [string, JsonValue][] => {
    const result = projected(part, fields, `${at}.${name}`);
    return result === undefined ? [] : [[name, result]];
  });
  return Object.fromEntries(parts);
}

/**
 * `GET /api/v1/data/{provider}/{dataset}/aggregate/`: matches, sorts, skips and limits records before it groups and
 * projects them (specification, section 4.1).
 */
export async function aggregate(call: Call, dataset: Dataset): Promise<Answer> {
  const { match, sort, group, project, ...page } = await valuesOf(call);
  const read = { query: objectOf(match, 'match'), sort: objectOf(sort, 'sort'), ...pageIn(page) };
  const stages: JsonObject[] = [];
  if (group !== undefined) stages.push({ $group: objectOf(group, 'group') });
  if (project !== undefined) stages.push({ $project: objectOf(project, 'project') });
  const rows = await rowsOf(call, dataset, read);
  return { status: 200, body: stringifyJson(runStages(rows.map(recordOf), stages)) };
}

/** `…/aggregate/pipeline/`: POST with `{stages}`, or GET with the array in `stages`. */
export async function pipeline(call: Call, dataset: Dataset): Promise<Answer> {
  const { stages } = await valuesOf(call);
  if (!Array.isArray(stages) || stages.length === 0) throw invalid('stages must be a non-empty array');
  const { rest, ...read } = leadingRead(checkedStages(stages));
  const rows = await rowsOf(call, dataset, read);
  call.work.countRecords(rows.length);
  return { status: 200, body: stringifyJson(runStages(recordsOf(rows), rest)) };
}

// Records are generated one at a time, as the stages consume them.
function* recordsOf(rows: readonly Row[]): Generator<JsonObject> {
  for (const row of rows) yield recordOf(row);
}

/**
 * Combines the leading `$match`, `$sort`, `$skip`, and `$limit` stages into a read that an index can serve.
 * @returns the read, and the remaining stages
 */
function leadingRead(stages: readonly JsonObject[]): Read & { readonly rest: readonly JsonObject[] } {
  const matches: JsonObject[] = [];
  let [sort, skip, limit, at]: [JsonObject, number, number, number] = [{}, 0, Infinity, 0];
  for (const { $match, $sort, $skip, $limit } of stages) {
    const isWhole = skip === 0 && limit === Infinity;
    const isSorted = Object.keys(sort).length > 0;
    if (isObject($match) && isWhole) matches.push($match);
    else if (isObject($sort) && isWhole && !isSorted && Object.keys($sort).length > 0) sort = $sort;
    else if (typeof $skip === 'number' && limit === Infinity) skip += $skip;
    else if (typeof $limit === 'number') limit = Math.min(limit, $limit);
    else break;
    at += 1;
  }
  const [query = {}, ...others] = matches;
  return { query: others.length > 0 ? { $and: matches } : query, sort, skip, limit, rest: stages.slice(at) };
}

const integerField = z.int('must be an integer').optional();
const ids = { company_id: integerField, asset_id: integerField };
const isTime = (value: string): boolean => /^\d{4}-\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** The fields of an insert item (specification, section 2.1). */
const item = z.looseObject({
  ...ids,
  version: integerField,
  timestamp: integerField,
  stage_number: integerField,
  measured_depth: z.number('must be a number').optional(),
  log_identifier: z.string('must be a string').optional(),
  datetime: z.string('must be an ISO 8601 time').refine(isTime, 'must be an ISO 8601 time').optional(),
  metadata: z.looseObject(ids, 'must be an object').optional(),
  data: z.custom(isObject, 'must be an object').optional(),
});

/** @throws Problem 422 if a required field is missing or a field has the wrong type; `at` is from 0 */
function checkRecord(type: DatasetType, record: JsonObject, at: number): void {
  const missing = datasetShapes[type].required.find((name) => record[name] === undefined);
  if (missing !== undefined) throw invalid(`record ${String(at)}: ${missing} is required`);
  const [issue] = item.safeParse(record).error?.issues ?? [];
  if (issue) throw invalid(`record ${String(at)}: ${issue.path.join('.')} ${issue.message}`);
}

/** `POST /api/v1/data/{provider}/{dataset}/`: stores 1 to 1,000 records (specification, section 4.1). */
export async function insertRecords(call: Call, provider = '', name = ''): Promise<Answer | typeof reset> {
  const { service } = call;
  const dataset = datasetAt(call, provider, name, 'write');
  const records = readRecords(parseBody(await call.body()));
  for (const [at, record] of records.entries()) checkRecord(dataset.type, record, at);
  const scoped = records.flatMap((record) => [record, record['metadata']]);
  for (const part of scoped) if (isObject(part)) checkScope(call, part, true);
  const whole = records.map((record) => withEnvelope(call, dataset, record));
  return store(call, dataset, service.faults.rewrite_values ? whole.map(rewritten) : whole);
}

// The array itself, or wrapped in an object as older clients send it.
function readRecords(body: JsonValue): JsonObject[] {
  const list = isObject(body) ? body['data'] : body;
  if (!Array.isArray(list)) throw invalid('the body must be an array of records');
  if (list.length < 1 || list.length > 1000) throw invalid('an insert takes from 1 to 1000 records');
  if (!list.every((record) => isObject(record))) throw invalid('each record must be an object');
  return list;
}

// The server sets the provider and dataset, and the company if the record has none.
function withEnvelope({ service }: Call, dataset: Dataset, record: JsonObject): JsonObject {
  const scoped = record['asset_id'] ?? valueAt(record, ['metadata', 'asset_id']);
  const company_id = service.world.assetById.get(Number(scoped))?.values['company_id'] ?? ownCompany;
  return { company_id, ...record, provider: dataset.provider, collection: dataset.name };
}

function store(call: Call, dataset: Dataset, records: JsonObject[]): Answer | typeof reset {
  const { faults, dice } = call.service;
  const { collection } = dataset;
  const half = Math.ceil(records.length / 2);
  for (const fault of ['fail_after_partial_write', 'refuse_after_partial_write'] as const) {
    if (!dice.shouldFail(fault)) continue;
    collection.insert(records.slice(0, half));
    if (fault === 'fail_after_partial_write') throw new Problem(500, 'the insert failed');
    throw invalid(`record ${String(half)}: was refused`);
  }
  if (dice.shouldFail('late_commit_ms')) {
    call.service.later(faults.late_commit_ms, () => collection.insert(records));
    throw new Problem(504, 'the insert took too long');
  }
  const failing = faults.partial_failure;
  const failed = new Set(records.filter(() => failing > 0 && dice.next('partial_failure') < failing));
  const inserted_ids = collection.insert(records.filter((record) => !failed.has(record)));
  if (dice.shouldFail('reset_after_write')) return reset;
  if (faults.short_answer) inserted_ids.pop();
  const messages = records.flatMap((record, index) =>
    failed.has(record) ? failureMessages[faults.message_shape](index) : [],
  );
  return { status: 200, body: JSON.stringify({ inserted_ids, failed_count: failed.size, messages }) };
}

const problem = 'the record could not be stored';
/** How the response reports a record that was not stored: the specification doesn't define it. */
const failureMessages: Record<Faults['message_shape'], (index: number) => JsonValue[]> = {
  string: () => [problem],
  indexed: (index) => [{ index, message: problem }],
  nested: () => [{ error: { code: 'write_failed', details: [problem] } }],
  none: () => [],
};

/** A record as a server stores it that rounds numbers to single precision and drops nulls. */
function rewritten(record: JsonObject): JsonObject {
  return { ...record, ...(record['data'] && { data: rewrittenValue(record['data']) }) };
}

function rewrittenValue(value: JsonValue): JsonValue {
  if (typeof value === 'number' && !Number.isInteger(value)) return Math.fround(value);
  if (!isObject(value)) return value;
  const parts = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(parts.map(([name, part]) => [name, rewrittenValue(part)]));
}
