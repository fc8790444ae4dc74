import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { parseBody } from '../http/requests.ts';
import { checkStages, runStages } from '../mongo/pipeline.ts';
import { readSort } from '../mongo/values.ts';
import { type Answer, type Call, Problem, invalid } from '../service.ts';
import { conditionsOf, type Reading, recordOf, type Row } from '../store.ts';
import { checkScope, visibleScopes } from '../auth.ts';
import type { Dataset } from './datasets.ts';

interface Find {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly limit: number;
  readonly skip: number;
  readonly fields: string;
  readonly includeCount: boolean;
}

/** `GET /api/v1/data/{provider}/{dataset}/` (specification, section 4.1). */
export async function findByQuery(call: Call, dataset: Dataset): Promise<Answer> {
  const { params } = call;
  return find(call, dataset, {
    query: params.object('query'),
    sort: params.object('sort'),
    limit: checkLimit(params.integer('limit')),
    skip: checkSkip(params.integer('skip')),
    fields: params.text('fields') ?? '',
    includeCount: params.flag('include_count') ?? false,
  });
}

/** `POST /api/v1/data/{provider}/{dataset}/list/`: the same with the query in the body. */
export async function findByBody(call: Call, dataset: Dataset): Promise<Answer> {
  const body = parseBody(await call.body());
  if (!isObject(body)) throw invalid('the body must be a JSON object');
  const { query, sort, limit, skip, fields, include_count: includeCount } = body;
  if (!isObject(query)) throw invalid('query must be an object');
  if (!isObject(sort)) throw invalid('sort must be an object');
  if ((fields ?? null) !== null && typeof fields !== 'string')
    throw invalid('fields must be a text with commas');
  if ((includeCount ?? null) !== null && typeof includeCount !== 'boolean')
    throw invalid('include_count must be true or false');
  return find(call, dataset, {
    query,
    sort,
    limit: checkLimit(limit),
    skip: checkSkip(skip),
    fields: typeof fields === 'string' ? fields : '',
    includeCount: includeCount === true,
  });
}

/** `GET /api/v1/data/{provider}/{dataset}/count/`. */
export async function countRecords(call: Call, dataset: Dataset): Promise<Answer> {
  const query = call.params.object('query');
  const count = await countMatches(call, dataset, query);
  return { status: 200, body: JSON.stringify({ count }) };
}

async function find(call: Call, dataset: Dataset, request: Find): Promise<Answer> {
  const { query, limit, skip, fields, includeCount } = request;
  const reading = readingOf(call, dataset, query, request.sort);
  const project = projection(fields);
  const headers =
    includeCount && !call.service.faults.no_total
      ? { Total: String(await countMatches(call, dataset, query)) }
      : {};
  const rows = reading ? await dataset.collection.find(reading, skip, limit, call.work) : [];
  const texts = rows.map((row) => (project ? stringifyJson(project(recordOf(row))) : row.run.text(row.at)));
  return { status: 200, body: `[${texts.join(',')}]`, headers };
}

async function countMatches(call: Call, dataset: Dataset, query: JsonObject): Promise<number> {
  const reading = readingOf(call, dataset, query, {});
  return reading ? dataset.collection.count(reading, call.work) : 0;
}

/**
 * Options for reading records as a sender; null if nothing can match.
 * @throws Problem 403 for an asset without access; 400 and 412 if a fault requires it
 */
function readingOf(call: Call, dataset: Dataset, query: JsonObject, sort: JsonObject): Reading | null {
  const { service, identity } = call;
  const { faults, dice } = service;
  checkScope(call, query);
  const conditions = conditionsOf(query);
  const scoped = conditions.some(({ path }) => /(^|\.)(asset_id|company_id)$/.test(path));
  if (faults.require_scope && !scoped)
    throw new Problem(400, 'the query must contain asset_id or company_id');
  const fields = readSort(sort);
  if (faults.require_index && !dataset.collection.serves(fields))
    throw new Problem(412, 'No matching index found');
  if (faults.ids_unmatchable && conditions.some(({ path }) => path === '_id')) return null;
  if (faults.datetime_unmatchable && conditions.some(({ path }) => path === 'datetime')) return null;
  const shuffled = faults.unstable_ties && !fields.some(([path]) => path === '_id');
  return {
    query,
    sort: shuffled && fields.length > 0 ? [...fields, ['_id', dice.next('ties') < 0.5 ? 1 : -1]] : fields,
    visible: visibleScopes(service.world, identity),
    seenBy: identity.level === 'admin' ? 'admin' : String(identity.companyId),
    before:
      faults.stale_reads_ms > 0
        ? dataset.collection.insertedBefore(Date.now() - faults.stale_reads_ms)
        : undefined,
  };
}

/** @throws Problem 422 unless it is an integer from 1 to 10000 (specification, section 8) */
function checkLimit(limit: JsonValue | undefined): number {
  if (limit === undefined || limit === null) throw invalid('limit is required');
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    throw invalid('limit must be an integer from 1 to 10000');
  }
  return limit;
}

/** @throws Problem 422 unless it is an integer of 0 or more */
function checkSkip(skip: JsonValue | undefined): number {
  const value = skip ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid('skip must be 0 or more');
  return value;
}

type Tree = Map<string, Tree | null>;

/**
 * Keeps only `_id` and the fields of a comma-separated list, nested ones by dotted names; null if the list is empty,
 * which means all fields.
 */
function projection(fields: string): ((record: JsonObject) => JsonObject) | null {
  const paths = fields.split(',').map((field) => field.trim()).filter((field) => field !== ''); // oxfmt-ignore
  if (paths.length === 0) return null;
  const tree: Tree = new Map();
  for (const path of ['_id', ...paths]) grow(tree, path.split('.'));
  return (record) => keep(record, tree);
}

function grow(tree: Tree, [name = '', ...rest]: readonly string[]): void {
  const branch = tree.get(name);
  if (branch === null) return;
  const next = rest.length === 0 ? null : (branch ?? new Map<string, Tree | null>());
  tree.set(name, next);
  if (next) grow(next, rest);
}

function keep(record: JsonObject, tree: Tree): JsonObject {
  const parts = Object.entries(record).flatMap(([name, value]): [string, JsonValue][] => {
    const branch = tree.get(name);
    const part = branch ? keepNested(value, branch) : branch === null ? value : undefined;
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(parts);
}

// In an array, each element is projected. A plain value where a nested name needs an object is dropped.
function keepNested(value: JsonValue, tree: Tree): JsonValue | undefined {
  if (Array.isArray(value))
    return value.map((element) => keepNested(element, tree)).filter((part) => part !== undefined);
  return isObject(value) ? keep(value, tree) : undefined;
}

/**
 * `GET /api/v1/data/{provider}/{dataset}/aggregate/`: matches, sorts, skips and limits records before it groups and
 * projects them (specification, section 4.1).
 */
export async function aggregate(call: Call, dataset: Dataset): Promise<Answer> {
  const { params } = call;
  const match = params.object('match');
  const sort = params.object('sort');
  const limit = checkLimit(params.integer('limit'));
  const skip = checkSkip(params.integer('skip'));
  const stages: JsonObject[] = [];
  if (params.has('group')) stages.push({ $group: params.object('group') });
  if (params.has('project')) stages.push({ $project: params.object('project') });
  checkStages(stages);
  const reading = readingOf(call, dataset, match, sort);
  const rows = reading ? await dataset.collection.find(reading, skip, limit, call.work) : [];
  return { status: 200, body: stringifyJson(runStages(rows.map(recordOf), stages)) };
}

/** `POST …/aggregate/pipeline/` with `{stages}`. */
export async function pipelineByBody(call: Call, dataset: Dataset): Promise<Answer> {
  const body = parseBody(await call.body());
  return pipeline(call, dataset, isObject(body) ? body['stages'] : undefined);
}

/** `GET …/aggregate/pipeline/` with the array in `stages`. */
export async function pipelineByQuery(call: Call, dataset: Dataset): Promise<Answer> {
  return pipeline(call, dataset, call.params.json('stages'));
}

async function pipeline(call: Call, dataset: Dataset, stagesInput: JsonValue | undefined): Promise<Answer> {
  if (!Array.isArray(stagesInput) || stagesInput.length === 0)
    throw invalid('stages must be a non-empty array');
  const stages = stagesInput.map((stage, at) => {
    if (!isObject(stage)) throw invalid(`stage ${String(at)} must be an object`);
    return stage;
  });
  checkStages(stages);
  const { query, sort, skip, limit, rest } = leadingRead(stages);
  const reading = readingOf(call, dataset, query, sort);
  const rows = reading ? await dataset.collection.find(reading, skip, limit, call.work) : [];
  call.work.countRecords(rows.length);
  return { status: 200, body: stringifyJson(runStages(recordsOf(rows), rest)) };
}

// Records are generated one at a time, as the stages consume them.
function* recordsOf(rows: readonly Row[]): Generator<JsonObject> {
  for (const row of rows) yield recordOf(row);
}

/** The part of a pipeline that the indexes can serve, and the remaining stages. */
interface LeadingRead {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly skip: number;
  readonly limit: number;
  readonly rest: readonly JsonObject[];
}

/** Combines the leading `$match`, `$sort`, `$skip`, and `$limit` stages, so that an index can serve them. */
function leadingRead(stages: readonly JsonObject[]): LeadingRead {
  const matches: JsonObject[] = [];
  let sort: JsonObject | null = null;
  let skip = 0;
  let limit = Infinity;
  let at = 0;
  for (let stage = stages[at]; stage; stage = stages[at]) {
    const { $match, $sort, $skip, $limit } = stage;
    const uncut = skip === 0 && limit === Infinity;
    if (isObject($match) && uncut) matches.push($match);
    else if (isObject($sort) && uncut && sort === null && Object.keys($sort).length > 0) sort = $sort;
    else if (typeof $skip === 'number' && limit === Infinity) skip += $skip;
    else if (typeof $limit === 'number') limit = Math.min(limit, $limit);
    else break;
    at += 1;
  }
  const query = matches.length === 1 ? (matches[0] ?? {}) : matches.length === 0 ? {} : { $and: matches };
  return { query, sort: sort ?? {}, skip, limit, rest: stages.slice(at) };
}
