import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { parseBody } from '../http/body.ts';
import { Problem, invalid } from '../problem.ts';
import { type Answer, type Call, reset } from '../service.ts';
import { knownDataset, mayUseAsset, mayUseCompany } from './access.ts';
import { type Dataset, mayWrite } from './dataset.ts';
import type { Faults } from '../faults.ts';
import type { DatasetType } from '../../shared/datasets/datasets.ts';

interface Rule {
  readonly path: string;
  readonly must: string;
  readonly holds: (value: JsonValue) => boolean;
  readonly required: (type: DatasetType) => boolean;
}

const integer = (value: JsonValue): boolean => typeof value === 'number' && Number.isSafeInteger(value);
const object = (value: JsonValue): boolean => isObject(value);
const never = (): boolean => false;
const time = (type: DatasetType): boolean => type === 'time';
const depth = (type: DatasetType): boolean => type === 'depth';

/** The fields of an insert item (specification, section 2.1). */
const rules: readonly Rule[] = [
  { path: 'version', must: 'be an integer', holds: integer, required: () => true },
  { path: 'asset_id', must: 'be an integer', holds: integer, required: (type) => time(type) || depth(type) },
  { path: 'company_id', must: 'be an integer', holds: integer, required: never },
  { path: 'timestamp', must: 'be an integer', holds: integer, required: time },
  {
    path: 'measured_depth',
    must: 'be a number',
    holds: (value) => typeof value === 'number',
    required: depth,
  },
  {
    path: 'log_identifier',
    must: 'be a string',
    holds: (value) => typeof value === 'string',
    required: depth,
  },
  { path: 'stage_number', must: 'be an integer', holds: integer, required: never },
  { path: 'datetime', must: 'be an ISO 8601 time', holds: isoTime, required: never },
  { path: 'metadata', must: 'be an object', holds: object, required: never },
  { path: 'data', must: 'be an object', holds: object, required: never },
];

function isoTime(value: JsonValue): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d/.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * Checks one record of an insert.
 * @param at its index in the batch, from 0
 * @throws Problem 422 if a required field is missing or a field has the wrong type
 */
export function checkRecord(type: DatasetType, record: JsonObject, at: number): void {
  for (const { path, must, holds, required } of rules) {
    const value = record[path];
    if (value === undefined) {
      if (required(type)) throw invalid(`record ${String(at)}: ${path} is required`);
    } else if (!holds(value)) {
      throw invalid(`record ${String(at)}: ${path} must ${must}`);
    }
  }
  const metadata = record['metadata'];
  if (!isObject(metadata)) return;
  for (const path of ['company_id', 'asset_id']) {
    if (metadata[path] !== undefined && !integer(metadata[path])) {
      throw invalid(`record ${String(at)}: metadata.${path} must be an integer`);
    }
  }
}

/** `POST /api/v1/data/{provider}/{dataset}/`: stores 1 to 1,000 records (specification, section 4.1). */
export async function insertRecords(
  call: Call,
  provider: string,
  name: string,
): Promise<Answer | typeof reset> {
  const { service, identity } = call;
  const dataset = knownDataset(service.catalogue.all, identity, provider, name);
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
  for (const asset of [record['asset_id'], metadata['asset_id']]) {
    if (asset === undefined || asset === null) continue;
    if (!mayUseAsset(world, identity, asset))
      throw new Problem(403, `no permission for asset ${stringifyJson(asset)}`);
  }
  for (const company of [record['company_id'], metadata['company_id']]) {
    if (company === undefined || company === null) continue;
    if (!mayUseCompany(world, identity, company))
      throw new Problem(403, `no permission for company ${stringifyJson(company)}`);
  }
}

// The server sets the provider and dataset, and the company if the record has none.
function withEnvelope({ service, identity }: Call, dataset: Dataset, record: JsonObject): JsonObject {
  const { company_id: company, asset_id: asset, version, metadata, ...rest } = record;
  const scoped = asset ?? (isObject(metadata) ? metadata['asset_id'] : undefined);
  const owner = service.world.wellByAsset.get(Number(scoped))?.companyId ?? identity.companyId;
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
  const failed = new Set(
    faults.partial_failure > 0
      ? records.filter(() => dice.next('partial_failure') < faults.partial_failure)
      : [],
  );
  const inserted_ids = collection.insert(records.filter((record) => !failed.has(record)));
  if (dice.shouldFail('reset_after_write')) return reset;
  if (faults.short_answer) inserted_ids.pop();
  const messages = failureMessages(records, failed, faults.message_shape);
  return { status: 200, body: JSON.stringify({ inserted_ids, failed_count: failed.size, messages }) };
}

/** How the response to an insert reports the records that were not stored: the specification doesn't define it. */
function failureMessages(
  records: readonly JsonObject[],
  failed: ReadonlySet<JsonObject>,
  shape: Faults['message_shape'],
): JsonValue[] {
  const indexes = records.flatMap((record, at) => (failed.has(record) ? [at] : []));
  const message = shapes[shape];
  return message ? indexes.map((index) => message(index)) : [];
}

const problem = 'the record could not be stored';
const shapes: Record<Faults['message_shape'], ((index: number) => JsonValue) | null> = {
  string: () => problem,
  indexed: (index) => ({ index, message: problem }),
  nested: () => ({ error: { code: 'write_failed', details: [problem] } }),
  none: null,
};

/** A record as a server stores it that rounds numbers to single precision and drops nulls. */
export function rewritten(record: JsonObject): JsonObject {
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
