import { AppError, type Issue } from '../errors/errors.ts';
import { stringifyJson } from '../json.ts';
import { literal } from '../sql/sql-name.ts';
import {
  askedTypes,
  parametersAt,
  valueOf,
  type FoundParameter,
  type ParameterValues,
} from './parameters.ts';
import type { AssetId } from '../wells/well-ids.ts';
import type { Bound } from './reader.ts';
import { applyEdits, type TextEdit } from './text/edits.ts';

/** What has no parameters in SQL (texts, quoted names, comments; to the end if unclosed), and parameters. */
const pieces =
  /'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)|\{\{([^{}\r\n]*)\}\}/g;

/** The parameters of a SQL statement, in order. Texts, quoted names, and comments have none. */
export function findSqlParameters(sql: string, field: string): FoundParameter[] {
  const spans = [...sql.matchAll(pieces)].flatMap(({ 0: piece, 1: inside, index: start }) =>
    inside === undefined ? [] : { start, end: start + piece.length },
  );
  return parametersAt(sql, field, spans);
}

/** The statement with asset ids in the place of `{{wells}}`. Other parameters stay. */
export const bindSqlWells = (sql: string, ids: readonly AssetId[]): string =>
  applyEdits(
    sql,
    findSqlParameters(sql, '').flatMap(({ start, end, parameter }) =>
      parameter?.kind === 'wells' ? [{ start, end, text: sqlOf({ kind: 'wells', ids }) }] : [],
    ),
  );

/** A value as SQL: wells as a list for `IN`, times as timestamps. */
function sqlOf(value: Bound): string {
  switch (value.kind) {
    case 'wells':
      return `(${value.ids.join(', ')})`;
    case 'date':
      return `TIMESTAMPTZ '${new Date(value.ms).toISOString()}'`;
    case 'value':
      return typeof value.value === 'string' ? literal(value.value) : stringifyJson(value.value);
  }
}

/**
 * Replaces the parameters of a SQL statement by their values.
 * @throws AppError `invalid_input` with the place of each parameter without a value
 */
export function bindSql(sql: string, field: string, values: ParameterValues): string {
  const parameters = findSqlParameters(sql, field);
  const types = askedTypes(parameters);
  const issues: Issue[] = [];
  const edits: TextEdit[] = [];
  for (const { start, end, place, parameter, problem } of parameters) {
    const value = parameter ? valueOf(parameter, values, types) : (problem ?? '');
    if (typeof value === 'string') issues.push({ message: value, place });
    else edits.push({ start, end, text: sqlOf(value) });
  }
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return applyEdits(sql, edits);
}
