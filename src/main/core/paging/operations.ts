import type { ExportRequest, Aggregation } from '../../../shared/export/export.ts';
import { isObject } from '../../../shared/json.ts';
import { refuseErrors } from '../../../shared/language/lint/request.ts';
import { parseRelaxedArray, parseRelaxedObject } from '../../../shared/language/relaxed.ts';
import type {
  AggregateRequest,
  ReadRequest,
  CountRequest,
  FindRequest,
  PipelineRequest,
} from '../../../shared/query/query.ts';
import type { AggregateArguments, FindArguments, RecordsOperation } from '../wire/services/services.ts';

/** A request without its connection and dataset. */
type Unaddressed<Request> = Omit<Request, 'connection' | 'provider' | 'dataset' | 'timeoutMs'>;

// Relaxed JSON is parsed to strict JSON; errors have line and column, and nothing is sent then.

/** @throws AppError `invalid_input` */
export function findOf(request: FindRequest): FindArguments {
  refuseErrors({ kind: 'find', ...request });
  const { limit, skip, fields, includeCount } = request;
  const query = parseQueryObject(request.query, 'query');
  return { query, sort: parseQueryObject(request.sort, 'sort'), limit, skip, fields, includeCount };
}

/**
 * The query and sort of an export.
 * @throws AppError `invalid_input`
 */
export function exportOf({ query, sort }: Pick<ExportRequest, 'query' | 'sort'>) {
  refuseErrors({ kind: 'export', query, sort });
  return { query: parseQueryObject(query, 'query'), sort: parseQueryObject(sort, 'sort') };
}

/** @throws AppError `invalid_input` */
export function countOf({ query }: CountRequest) {
  refuseErrors({ kind: 'count', query });
  return parseQueryObject(query, 'query');
}

/** @throws AppError `invalid_input` */
export function aggregateOf(request: Unaddressed<AggregateRequest>): AggregateArguments {
  refuseErrors({ kind: 'aggregate', ...request });
  const { limit, skip } = request;
  return {
    match: parseQueryObject(request.match, 'match'),
    sort: parseQueryObject(request.sort, 'sort'),
    limit,
    skip,
    group: parseOptionalObject(request.group, 'group'),
    project: parseOptionalObject(request.project, 'project'),
  };
}

/** @throws AppError `invalid_input` */
export function stagesOf({ stages: text }: Unaddressed<PipelineRequest>) {
  refuseErrors({ kind: 'pipeline', stages: text });
  return parseRelaxedArray(text, 'stages').filter(isObject);
}

/**
 * The read operation of a request.
 * @throws AppError `invalid_input`
 */
export function operationOf(request: ReadRequest): RecordsOperation {
  switch (request.kind) {
    case 'find':
      return { kind: 'find', find: findOf(request.request) };
    case 'count':
      return { kind: 'count', query: countOf(request.request) };
    case 'aggregate':
      return wholeOperationOf({ kind: 'aggregate', ...request.request });
    case 'pipeline':
      return wholeOperationOf({ kind: 'pipeline', ...request.request });
  }
}

type WholeRecordsOperation = Extract<RecordsOperation, { kind: Aggregation['kind'] }>;

/**
 * The operation that responds with all records at once.
 * @throws AppError `invalid_input` with the place
 */
export function wholeOperationOf(request: Aggregation): WholeRecordsOperation {
  return request.kind === 'aggregate'
    ? { kind: 'aggregate', aggregate: aggregateOf(request) }
    : { kind: 'pipeline', stages: stagesOf(request) };
}

function parseQueryObject(text: string, field: string) {
  return parseRelaxedObject(text.trim() === '' ? '{}' : text, field);
}

function parseOptionalObject(text: string | undefined, field: string) {
  return text === undefined || text.trim() === '' ? undefined : parseRelaxedObject(text, field);
}
