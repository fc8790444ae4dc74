import { type DatasetType, datasetShapes } from '../../shared/datasets/datasets.ts';
import { type JsonObject, type JsonValue, isObject, stringifyJson, valueAt } from '../../shared/json.ts';
import type { Faults } from '../faults.ts';
import { parseBody } from '../http/requests.ts';
import { type Answer, type Call, Problem, invalid, reset } from '../service.ts';
import { mayUseAsset, mayUseCompany } from '../auth.ts';
import { type Dataset, datasetAt } from './datasets.ts';

const types = {
  integer: { name: 'an integer', has: (value: JsonValue) => Number.isSafeInteger(value) },
  number: { name: 'a number', has: (value: JsonValue) => typeof value === 'number' },
  text: { name: 'a string', has: (value: JsonValue) => typeof value === 'string' },
  object: { name: 'an object', has: (value: JsonValue) => isObject(value) },
  time: {
    name: 'an ISO 8601 time',
    has: (value: JsonValue) =>
      typeof value === 'string' && /^\d{4}-\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
  },
} as const;

/** The fields of an insert item (specification, section 2.1). */
const fields = Object.entries<keyof typeof types>({
  version: 'integer', asset_id: 'integer', company_id: 'integer', timestamp: 'integer', measured_depth: 'number',
  log_identifier: 'text', stage_number: 'integer', datetime: 'time', metadata: 'object', data: 'object',
}).map(([path, type]) => ({ path, ...types[type] })); // oxfmt-ignore

/** @throws Problem 422 if a required field is missing or a field has the wrong type; `at` is from 0 */
function checkRecord(type: DatasetType, record: JsonObject, at: number): void {
  const missing = datasetShapes[type].required.find((name) => record[name] === undefined);
  if (missing !== undefined) throw invalid(`record ${String(at)}: ${missing} is required`);
  for (const { path, name, has } of fields) {
    const value = record[path];
    if (value !== undefined && !has(value)) throw invalid(`record ${String(at)}: ${path} must be ${name}`);
  }
  for (const path of ['company_id', 'asset_id']) {
    const id = valueAt(record, ['metadata', path]);
    if (id !== undefined && !Number.isSafeInteger(id))
      throw invalid(`record ${String(at)}: metadata.${path} must be an integer`);
  }
}

/** `POST /api/v1/data/{provider}/{dataset}/`: stores 1 to 1,000 records (specification, section 4.1). */
export async function insertRecords(call: Call, provider = '', name = ''): Promise<Answer | typeof reset> {
  const { service } = call;
  const dataset = datasetAt(call, provider, name, 'write');
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
  for (const [name, mayUse] of [['asset', mayUseAsset], ['company', mayUseCompany]] as const) {
    const path = `${name}_id`;
    for (const id of [record[path], valueAt(record, ['metadata', path])]) {
      if (id === undefined || id === null || mayUse(world, identity, id)) continue;
      throw new Problem(403, `no permission for ${name} ${stringifyJson(id)}`);
    }
  }
} // oxfmt-ignore

// The server sets the provider and dataset, and the company if the record has none.
function withEnvelope({ service, identity }: Call, dataset: Dataset, record: JsonObject): JsonObject {
  const { company_id: company, asset_id: asset, version, metadata, ...rest } = record;
  const scoped = asset ?? valueAt(record, ['metadata', 'asset_id']);
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
