import type { DatasetType } from '../../shared/datasets/datasets.ts';
import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import type { Faults } from '../faults.ts';
import { parseBody } from '../http/requests.ts';
import { type Answer, type Call, Problem, invalid, reset } from '../service.ts';
import { mayUseAsset, mayUseCompany } from '../auth.ts';
import { type Dataset, knownDataset, mayWrite } from './datasets.ts';

const isInteger = (value: JsonValue): boolean => typeof value === 'number' && Number.isSafeInteger(value);
const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isText = (value: JsonValue): boolean => typeof value === 'string';
const isTime = (value: JsonValue): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d/.test(value) && !Number.isNaN(Date.parse(value));

const all: readonly DatasetType[] = ['time', 'depth', 'reference', 'timeseries'];
type Rule = readonly [
  path: string,
  must: string,
  holds: (value: JsonValue) => boolean,
  requiredOf: readonly DatasetType[],
];
/** The fields of an insert item (specification, section 2.1). */
const rules: readonly Rule[] = [
  ['version', 'be an integer', isInteger, all],
  ['asset_id', 'be an integer', isInteger, ['time', 'depth']],
  ['company_id', 'be an integer', isInteger, []],
  ['timestamp', 'be an integer', isInteger, ['time']],
  ['measured_depth', 'be a number', isNumber, ['depth']],
  ['log_identifier', 'be a string', isText, ['depth']],
  ['stage_number', 'be an integer', isInteger, []],
  ['datetime', 'be an ISO 8601 time', isTime, []],
  ['metadata', 'be an object', isObject, []],
  ['data', 'be an object', isObject, []],
];

/**
 * Checks one record of an insert.
 * @param at its index in the batch, from 0
 * @throws Problem 422 if a required field is missing or a field has the wrong type
 */
function checkRecord(type: DatasetType, record: JsonObject, at: number): void {
  for (const [path, must, holds, requiredOf] of rules) {
    const value = record[path];
    if (value === undefined) {
      if (requiredOf.includes(type)) throw invalid(`record ${String(at)}: ${path} is required`);
    } else if (!holds(value)) {
      throw invalid(`record ${String(at)}: ${path} must ${must}`);
    }
  }
  const metadata = record['metadata'];
  if (!isObject(metadata)) return;
  for (const path of ['company_id', 'asset_id']) {
    if (metadata[path] !== undefined && !isInteger(metadata[path])) {
      throw invalid(`record ${String(at)}: metadata.${path} must be an integer`);
    }
  }
}

/** `POST /api/v1/data/{provider}/{dataset}/`: stores 1 to 1,000 records (specification, section 4.1). */
export async function insertRecords(call: Call, provider = '', name = ''): Promise<Answer | typeof reset> {
  const { service, identity } = call;
  const dataset = knownDataset(call, provider, name);
  if (!mayWrite(identity, dataset)) throw new Problem(403, `no permission to write to ${provider}/${name}`);
  const records = readRecords(parseBody(await call.body()));
  for (const [at, record] of records.entries()) checkRecord(dataset.type, record, at);
  for (const record of records) checkAccess(call, record);
  const whole = records.map((record) => withEnvelope(call, dataset, record));
  return store(call, dataset, service.faults.rewrite_values ? whole.map(rewritten) : whole);
}

// The array itself, or wrapped in an object as older clients send it.
function readRecords(body: JsonValue): JsonObject[] {
  const list = isObject(body) ? body['data'] : body;
  if (!Array.isArray(list)) throw invalid('the body must be an array of records');
  if (list.length < 1 || list.length > 1000) throw invalid('an insert takes from 1 to 1000 records');
  return list.map((record, at) => {
    if (!isObject(record)) throw invalid(`record ${String(at)}: must be an object`);
    return record;
  });
}

function checkAccess({ service: { world }, identity }: Call, record: JsonObject): void {
  const metadata = isObject(record['metadata']) ? record['metadata'] : {};
  const check = (path: string, mayUse: typeof mayUseAsset): void => {
    for (const id of [record[path], metadata[path]]) {
      if (id === undefined || id === null || mayUse(world, identity, id)) continue;
      throw new Problem(403, `no permission for ${path.replace('_id', '')} ${stringifyJson(id)}`);
    }
  };
  check('asset_id', mayUseAsset);
  check('company_id', mayUseCompany);
}

// The server sets the provider and dataset, and the company if the record has none.
function withEnvelope({ service, identity }: Call, dataset: Dataset, record: JsonObject): JsonObject {
  const { company_id: company, asset_id: asset, version, metadata, ...rest } = record;
  const scoped = asset ?? (isObject(metadata) ? metadata['asset_id'] : undefined);
  const owner = service.world.assetById.get(Number(scoped))?.well?.companyId ?? identity.companyId;
  return {
    company_id: company ?? owner,
    ...(asset === undefined ? {} : { asset_id: asset }),
    ...(version === undefined ? {} : { version }),
    ...rest,
    ...(metadata === undefined ? {} : { metadata }),
    provider: dataset.provider,
    collection: dataset.name,
  };
}

function store(call: Call, dataset: Dataset, records: JsonObject[]): Answer | typeof reset {
  const { service } = call;
  const { faults, dice } = service;
  const { collection } = dataset;
  const half = records.slice(0, Math.ceil(records.length / 2));
  if (dice.shouldFail('fail_after_partial_write')) {
    collection.insert(half);
    throw new Problem(500, 'the insert failed');
  }
  if (dice.shouldFail('refuse_after_partial_write')) {
    collection.insert(half);
    throw invalid(`record ${String(half.length)}: was refused`);
  }
  if (dice.shouldFail('late_commit_ms')) {
    service.later(faults.late_commit_ms, () => collection.insert(records));
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
  return isObject(record['data']) ? { ...record, data: rewriteObject(record['data']) } : record;
}

function rewriteObject(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, rewriteValue(value)]),
  );
}

function rewriteValue(value: JsonValue): JsonValue {
  if (typeof value === 'number' && !Number.isInteger(value)) return Math.fround(value);
  return isObject(value) ? rewriteObject(value) : value;
}
