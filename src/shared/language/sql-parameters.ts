import { AppError, type Issue } from '../errors/errors.ts';
import { stringifyJson } from '../json.ts';
import {
  parametersAt,
  replaceAll,
  requiredAnswers,
  valueOf,
  type FoundParameter,
  type ParameterValues,
} from './parameters.ts';
import type { Bound, Span } from './reader.ts';

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

/** A value as SQL: wells as a list for `IN`, times as timestamps. */
function sqlOf(value: Bound): string {
  switch (value.kind) {
    case 'wells':
      return `(${value.ids.join(', ')})`;
    case 'date':
      return `TIMESTAMPTZ '${new Date(value.ms).toISOString()}'`;
    case 'value':
      return typeof value.value === 'string'
        ? `'${value.value.replaceAll("'", "''")}'`
        : stringifyJson(value.value);
  }
}

/**
 * Replaces the parameters of a SQL statement by their values.
 * @throws AppError `invalid_input` with the place of each parameter without a value
 */
export function bindSql(sql: string, field: string, values: ParameterValues): string {
  const parameters = findSqlParameters(sql, field);
  const types = new Map(requiredAnswers(parameters).map(({ name, type }) => [name, type]));
  const issues: Issue[] = [];
  const replaced: (Span & { by: string })[] = [];
  for (const { start, end, place, parameter, problem } of parameters) {
    const value = parameter ? valueOf(parameter, values, types) : (problem ?? '');
    if (typeof value === 'string') issues.push({ message: value, place });
    else replaced.push({ start, end, by: sqlOf(value) });
  }
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return replaceAll(sql, replaced);
}
