import type { ExportRequest, WholeQuestion } from '../../shared/export/export.ts';
import { refuseErrors } from '../../shared/language/lint/request.ts';
import { parseRelaxedArray, parseRelaxedObject } from '../../shared/language/relaxed.ts';
import type {
  AggregateRequest,
  AskedRequest,
  CountRequest,
  FindRequest,
  PipelineRequest,
} from '../../shared/query/query.ts';
import { checkStages } from '../services/checks.ts';
import type { AggregateArguments, FindArguments, RecordsOperation } from '../services/services.ts';

/** A question without the dataset and the connection it is put to. */
type Unaddressed<Request> = Omit<Request, 'connection' | 'provider' | 'dataset' | 'timeoutMs'>;

// Relaxed JSON in, strict JSON out: what is wrong is said with line and column, before anything is sent.

/** @throws AppError `invalid_input` */
export function findOf(request: FindRequest): FindArguments {
  refuseErrors({ kind: 'find', ...request });
  const { limit, skip, fields, includeCount } = request;
  const query = objectIn(request.query, 'query');
  return { query, sort: objectIn(request.sort, 'sort'), limit, skip, fields, includeCount };
}

/** What an export asks for, of everything that matches. @throws AppError `invalid_input` */
export function exportOf({ query, sort }: Pick<ExportRequest, 'query' | 'sort'>) {
  refuseErrors({ kind: 'export', query, sort });
  return { query: objectIn(query, 'query'), sort: objectIn(sort, 'sort') };
}

/** @throws AppError `invalid_input` */
export function countOf({ query }: CountRequest) {
  refuseErrors({ kind: 'count', query });
  return objectIn(query, 'query');
}

/** @throws AppError `invalid_input` */
export function aggregateOf(request: Unaddressed<AggregateRequest>): AggregateArguments {
  refuseErrors({ kind: 'aggregate', ...request });
  const { limit, skip } = request;
  return {
    match: objectIn(request.match, 'match'),
    sort: objectIn(request.sort, 'sort'),
    limit,
    skip,
    group: optionalObjectIn(request.group, 'group'),
    project: optionalObjectIn(request.project, 'project'),
  };
}

/** @throws AppError `invalid_input` */
export function stagesOf({ stages: text }: Unaddressed<PipelineRequest>) {
  refuseErrors({ kind: 'pipeline', stages: text });
  const stages = parseRelaxedArray(text.trim() === '' ? '[]' : text, 'stages');
  checkStages(stages);
  return stages;
}

/** What is asked, of whichever kind. @throws AppError `invalid_input` */
export function questionOf(asked: AskedRequest): RecordsOperation {
  switch (asked.kind) {
    case 'find':
      return { kind: 'find', find: findOf(asked.request) };
    case 'count':
      return { kind: 'count', query: countOf(asked.request) };
    case 'aggregate':
      return wholeQuestionOf({ kind: 'aggregate', ...asked.request });
    case 'pipeline':
      return wholeQuestionOf({ kind: 'pipeline', ...asked.request });
  }
}

type WholeRecordsQuestion = Extract<RecordsOperation, { kind: WholeQuestion['kind'] }>;

/** What is asked where the answer comes whole. @throws AppError `invalid_input` with the place that is wrong */
export function wholeQuestionOf(asked: WholeQuestion): WholeRecordsQuestion {
  return asked.kind === 'aggregate'
    ? { kind: 'aggregate', aggregate: aggregateOf(asked) }
    : { kind: 'pipeline', stages: stagesOf(asked) };
}

function objectIn(text: string, field: string) {
  return parseRelaxedObject(text.trim() === '' ? '{}' : text, field);
}

function optionalObjectIn(text: string | undefined, field: string) {
  return text === undefined || text.trim() === '' ? undefined : parseRelaxedObject(text, field);
}
