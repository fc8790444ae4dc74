import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { parseBody } from '../http/requests.ts';
import { checkStages, readSort, runStages } from '../mongo/pipeline.ts';
import { type Answer, type Call, Problem, invalid } from '../service.ts';
import { conditionsOf, type Reading, recordOf, type Row } from '../store.ts';
import { checkScope, visibleScopes } from '../auth.ts';
import type { Dataset } from './datasets.ts';

/** `GET /api/v1/data/{provider}/{dataset}/` (specification, section 4.1). */
export async function findByQuery(call: Call, dataset: Dataset): Promise<Answer> {
  const { params } = call;
  return find(call, dataset, {
    query: params.object('query'),
    sort: params.object('sort'),
    limit: params.integer('limit'),
    skip: params.integer('skip'),
    fields: params.text('fields'),
    include_count: params.flag('include_count'),
  });
}

/** `POST /api/v1/data/{provider}/{dataset}/list/`: the same with the query in the body. */
export async function findByBody(call: Call, dataset: Dataset): Promise<Answer> {
  const body = parseBody(await call.body());
  if (!isObject(body)) throw invalid('the body must be a JSON object');
  return find(call, dataset, body);
}

/** `GET /api/v1/data/{provider}/{dataset}/count/`. */
export async function countRecords(call: Call, dataset: Dataset): Promise<Answer> {
  const count = await countMatches(call, dataset, call.params.object('query'));
  return { status: 200, body: JSON.stringify({ count }) };
}

type Values = Readonly<Record<string, JsonValue | undefined>>;

async function find(call: Call, dataset: Dataset, values: Values): Promise<Answer> {
  const { query, sort } = values;
  const fields = values['fields'] ?? '';
  const isCounted = values['include_count'] ?? false;
  if (!isObject(query)) throw invalid('query must be an object');
  if (!isObject(sort)) throw invalid('sort must be an object');
  if (typeof fields !== 'string') throw invalid('fields must be a text with commas');
  if (typeof isCounted !== 'boolean') throw invalid('include_count must be true or false');
  const rows = await rowsOf(call, dataset, { query, sort, ...pageIn(values) });
  const total = isCounted && !call.service.faults.no_total;
  const headers = total ? { Total: String(await countMatches(call, dataset, query)) } : {};
  const paths = fields.split(',').map((field) => field.trim()).filter((field) => field !== ''); // oxfmt-ignore
  const project = paths.length > 0 ? projection(['_id', ...paths]) : null;
  const texts = rows.map((row) => (project ? stringifyJson(project(recordOf(row))) : row.run.text(row.at)));
  return { status: 200, body: `[${texts.join(',')}]`, headers };
}

async function countMatches(call: Call, dataset: Dataset, query: JsonObject): Promise<number> {
  const reading = readingOf(call, dataset, query, {});
  return reading ? dataset.collection.count(reading, call.work) : 0;
}

/** Matching records in order, as a read needs them that an index may serve. */
interface Read {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly skip: number;
  readonly limit: number;
}

async function rowsOf(call: Call, dataset: Dataset, read: Read): Promise<readonly Row[]> {
  const reading = readingOf(call, dataset, read.query, read.sort);
  return reading ? dataset.collection.find(reading, read.skip, read.limit, call.work) : [];
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

/** Keeps only the values at some paths; names of nested values are dotted. */
function projection(paths: readonly string[]): (record: JsonObject) => JsonObject {
  const byName = Map.groupBy(paths, (path) => path.split('.', 1)[0] ?? '');
  const inner = new Map(
    [...byName].map(([name, all]) => {
      const isWhole = all.includes(name);
      return [name, isWhole ? null : projection(all.map((path) => path.slice(name.length + 1)))] as const;
    }),
  );
  return (record) => {
    const parts = Object.entries(record).flatMap(([name, value]): [string, JsonValue][] => {
      const project = inner.get(name);
      const part = project ? projected(value, project) : project === null ? value : undefined;
      return part === undefined ? [] : [[name, part]];
    });
    return Object.fromEntries(parts);
  };
}

// In an array, each element is projected. A plain value where a nested name needs an object is dropped.
function projected(value: JsonValue, project: (record: JsonObject) => JsonObject): JsonValue | undefined {
  if (Array.isArray(value))
    return value.map((element) => projected(element, project)).filter((part) => part !== undefined);
  return isObject(value) ? project(value) : undefined;
}

/**
 * `GET /api/v1/data/{provider}/{dataset}/aggregate/`: matches, sorts, skips and limits records before it groups and
 * projects them (specification, section 4.1).
 */
export async function aggregate(call: Call, dataset: Dataset): Promise<Answer> {
  const { params } = call;
  const read = {
    query: params.object('match'),
    sort: params.object('sort'),
    ...pageIn({ limit: params.integer('limit'), skip: params.integer('skip') }),
  };
  const stages: JsonObject[] = [];
  if (params.has('group')) stages.push({ $group: params.object('group') });
  if (params.has('project')) stages.push({ $project: params.object('project') });
  checkStages(stages);
  const rows = await rowsOf(call, dataset, read);
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
  const { rest, ...read } = leadingRead(stages);
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
