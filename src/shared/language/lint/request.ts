import { AppError, type Issue } from '../../errors/errors.ts';
import { noKnowledge, type Knowledge, type TextKind } from '../knowledge.ts';
import { readTree } from '../tree/tree.ts';
import type { Finding, Severity } from './notes.ts';
import { lintText } from './lint.ts';
import { append } from '../../lists.ts';

/** A finding in a field of a request; findings about numbers have no place in a text. */
export type RequestFinding = Pick<Finding, 'severity' | 'code' | 'message'> &
  Partial<Finding> & {
    readonly field: string;
    /** What to enter instead; empty: nothing. */
    readonly instead?: number | '';
  };

/** The texts and numbers of a request, under the names that its schema has for them. */
export type LintedRequest =
  | Readonly<{ kind: 'find'; query: string; sort: string; limit: number; skip?: number }>
  | Readonly<{ kind: 'count'; query: string }>
  | Readonly<{ kind: 'export'; query: string; sort: string }>
  | Readonly<{
      kind: 'aggregate';
      match: string;
      sort: string;
      limit?: number | undefined;
      skip?: number;
      group?: string | undefined;
      project?: string | undefined;
    }>
  | Readonly<{ kind: 'pipeline'; stages: string }>;

const maxRecords = 10_000;

const about = (
  field: string,
  severity: Severity,
  code: string,
  message: string,
  instead?: RequestFinding['instead'],
): RequestFinding => ({ field, severity, code, message, ...(instead === undefined ? {} : { instead }) });

/** The limit and the skip of a read (specification, section 8). */
function lintNumbers(limit: number | undefined, skip = 0): RequestFinding[] {
  const findings: RequestFinding[] = [];
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > maxRecords)) {
    const suggestedLimit = Number.isFinite(limit)
      ? Math.min(maxRecords, Math.max(1, Math.round(limit)))
      : undefined;
    const message = 'The limit must be a whole number from 1 to 10,000. For more records, export them.';
    findings.push(about('limit', 'error', 'limit_range', message, suggestedLimit));
  }
  if (!Number.isSafeInteger(skip) || skip < 0) {
    const message = 'Skip must be a whole number of 0 or more. Enter 0 to skip none.';
    findings.push(about('skip', 'error', 'skip_range', message, 0));
  }
  return findings;
}

/** Whether a text has an object with members. */
function hasContent(text: string | undefined): boolean {
  const root = text === undefined ? null : readTree(text).root;
  return root?.kind === 'object' && root.members.length > 0;
}

/** The aggregate's limit counts records before they are grouped, not groups (specification, section 4.1). */
function limitBeforeGroup(limit: number | undefined, group: string | undefined): RequestFinding[] {
  if (limit === undefined || !hasContent(group)) return [];
  const message = `Only the first ${limit.toLocaleString('en')} records are grouped, because the limit applies before grouping. Clear the limit to group all that match.`;
  return [about('limit', 'warning', 'limit_before_group', message, '')];
}

const inField = (field: string, text: string, kind: TextKind, knowledge: Knowledge): RequestFinding[] =>
  lintText(text, kind, knowledge).map((finding) => ({ ...finding, field }));

/** A request with a sort, a limit, and a skip. */
export type LimitedRequest = Extract<LintedRequest, { kind: 'find' | 'aggregate' }>;

/** Checks the sort, limit, and skip of a request. Never throws. */
export function lintOptions(request: LimitedRequest, knowledge: Knowledge): RequestFinding[] {
  const query = request.kind === 'find' ? request.query : request.match;
  const problems = [
    ...inField('sort', request.sort, 'sort', { ...knowledge, query }),
    ...lintNumbers(request.limit, request.skip),
  ];
  return request.kind === 'find'
    ? problems
    : [...problems, ...limitBeforeGroup(request.limit, request.group)];
}

/** The errors and probable mistakes in a request, field by field. Never throws. */
export function lintRequest(request: LintedRequest, knowledge: Knowledge): RequestFinding[] {
  if (request.kind === 'count') return inField('query', request.query, 'query', knowledge);
  if (request.kind === 'pipeline') return inField('stages', request.stages, 'stages', knowledge);
  if (request.kind === 'export')
    return [
      ...inField('query', request.query, 'query', knowledge),
      ...inField('sort', request.sort, 'sort', { ...knowledge, query: request.query }),
    ];
  const options = lintOptions(request, knowledge);
  if (request.kind === 'find') return [...inField('query', request.query, 'query', knowledge), ...options];
  const { match, group, project } = request;
  const problems = inField('match', match, 'query', knowledge);
  if (group !== undefined) append(problems, inField('group', group, 'group', { ...knowledge, query: match }));
  if (project !== undefined) append(problems, inField('project', project, 'project', knowledge));
  return [...problems, ...options];
}

/** What stops a request, as issues with their places. */
export function toIssues(findings: readonly RequestFinding[]): Issue[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ message, field, line, column }) => ({
      message,
      place: line === undefined || column === undefined ? { field } : { field, line, column },
    }));
}

/**
 * Refuses a request with errors; warnings pass.
 * @throws AppError `invalid_input` with the place of each error
 */
export function refuseErrors(request: LintedRequest): void {
  const issues = toIssues(lintRequest(request, noKnowledge));
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
}
