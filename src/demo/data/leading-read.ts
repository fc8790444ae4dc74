import type { JsonObject } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';

/** The part of a pipeline that the indexes can serve, and the remaining stages. */
export interface LeadingRead {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  readonly skip: number;
  readonly limit: number;
  readonly rest: readonly JsonObject[];
}

/** Combines the leading `$match`, `$sort`, `$skip`, and `$limit` stages, so that an index can serve them. */
export function leadingRead(stages: readonly JsonObject[]): LeadingRead {
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
