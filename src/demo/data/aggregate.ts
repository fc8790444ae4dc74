import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../../shared/json.ts';
import { jsonParameter, objectParameter, parseBody } from '../http/body.ts';
import { checkStages, runStages } from '../mongo/pipeline.ts';
import { invalid } from '../problem.ts';
import type { Answer, Call } from '../service.ts';
import { recordOf, type Row } from '../store/run.ts';
import { readableDataset } from './access.ts';
import type { Dataset } from './dataset.ts';
import { checkLimit, checkSkip, readingOf } from './read.ts';

/**
 * `GET /api/v1/data/{provider}/{dataset}/aggregate/`: matches, sorts, skips and limits records before it groups and
 * projects them (specification, section 4.1).
 */
export async function aggregate(call: Call, provider: string, name: string): Promise<Answer> {
  const { params } = call;
  const dataset = readableDataset(call, provider, name);
  const match = objectParameter('match', params.text('match'));
  const sort = objectParameter('sort', params.text('sort'));
  const limit = checkLimit(params.integer('limit'));
  const skip = checkSkip(params.integer('skip'));
  const stages: JsonObject[] = [];
  if (params.has('group')) stages.push({ $group: objectParameter('group', params.text('group')) });
  if (params.has('project')) stages.push({ $project: objectParameter('project', params.text('project')) });
  checkStages(stages);
  const reading = readingOf(call, dataset, match, sort);
  const rows = reading ? await dataset.collection.find(reading, skip, limit, call.work) : [];
  return { status: 200, body: stringifyJson(runStages(rows.map(recordOf), stages)) };
}

/** `POST …/aggregate/pipeline/` with `{stages}`. */
export async function pipelineByBody(call: Call, provider: string, name: string): Promise<Answer> {
  const dataset = readableDataset(call, provider, name);
  const body = parseBody(await call.body());
  return pipeline(call, dataset, isObject(body) ? body['stages'] : undefined);
}

/** `GET …/aggregate/pipeline/` with the array in `stages`. */
export async function pipelineByQuery(call: Call, provider: string, name: string): Promise<Answer> {
  const dataset = readableDataset(call, provider, name);
  return pipeline(call, dataset, jsonParameter('stages', call.params.text('stages')));
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
