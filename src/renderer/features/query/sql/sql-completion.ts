import type { Suggestion } from '../../../../shared/language/editing/suggestion.ts';
import type { SqlTable } from '../../../../shared/sql/sql.ts';
import { sqlName } from '../../../../shared/sql/sql-name.ts';

const keywords = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'GROUP BY ALL',
  'HAVING',
  'QUALIFY',
  'ORDER BY',
  'LIMIT',
  'JOIN',
  'LEFT JOIN',
  'ASOF JOIN',
  'ON',
  'USING',
  'AS',
  'AND',
  'OR',
  'NOT',
  'IN',
  'BETWEEN',
  'IS NULL',
  'CASE WHEN',
  'UNION ALL',
  'WITH',
  'DESC',
  'DISTINCT',
];
const functions = [
  'avg',
  'count',
  'max',
  'median',
  'min',
  'quantile_cont',
  'stddev',
  'sum',
  'arg_max',
  'arg_min',
  'coalesce',
  'date_trunc',
  'epoch_ms',
  'lag',
  'lead',
  'round',
  'row_number',
  'time_bucket',
  'try_cast',
];

/** Texts, quoted names, and comments; the last one may end with the text. */
const pieces =
  /'[^']*(?:''[^']*)*(?:'|($))|"[^"]*(?:""[^"]*)*(?:"|$)|--[^\n]*(?:\n|($))|\/\*[^]*?(?:\*\/|($))/g;

/** Whether a statement up to the caret ends inside a text or a comment. */
function isInTextOrComment(before: string): boolean {
  for (const [, text, line, comment] of before.matchAll(pieces))
    if (text !== undefined || line !== undefined || comment !== undefined) return true;
  return false;
}

/** What can follow at the caret: columns of the tables that the statement names first, then tables and the language. */
export function completeSql(text: string, offset: number, tables: readonly SqlTable[]): Suggestion[] {
  const before = text.slice(0, offset);
  if (isInTextOrComment(before)) return [];
  const word = /(?<!\w)\w*$/.exec(before)?.[0] ?? '';
  const replace = { start: offset - word.length, end: offset };
  const isNamed = ({ name }: SqlTable) => new RegExp(`\\b${name}\\b`, 'i').test(text);
  const columns = new Map<string, Suggestion>();
  for (const { name, columns: tableColumns } of tables.toSorted(
    (a, b) => Number(isNamed(b)) - Number(isNamed(a)),
  ))
    for (const { name: column, type, unit } of tableColumns)
      if (!columns.has(column))
        columns.set(column, {
          label: column,
          kind: 'field',
          detail: `${unit ?? type.toLowerCase()} · ${name}`,
          replace,
          insert: sqlName(column),
        });
  const isAfterDot = before.slice(0, replace.start).endsWith('.');
  if (isAfterDot) return [...columns.values()];
  const plain = (label: string, kind: Suggestion['kind'], insert = label): Suggestion => ({
    label,
    kind,
    replace,
    insert,
  });
  const tableOffers = tables.map(({ name, label }): Suggestion => ({
    ...plain(name, 'value'),
    detail: label,
  }));
  const isTablePlace = /\b(?:from|join)\s+\w*$/i.test(before);
  if (isTablePlace) return tableOffers;
  return [
    ...columns.values(),
    ...tableOffers,
    ...functions.map((name) => plain(name, 'stage', `${name}(`)),
    ...keywords.map((name) => plain(name, 'operator')),
  ];
}
