import type { Hover } from '../../../../shared/language/editing/hover.ts';
import type { SqlColumn, SqlTable } from '../../../../shared/sql/sql.ts';
import { words } from '../../../words/words.ts';

const w = words.sql;

/** The unit and the type of a column. All times are in UTC, so their type needs no zone. */
export const columnText = ({ unit, type }: Pick<SqlColumn, 'unit' | 'type'>): string =>
  [...(unit === null ? [] : [unit]), type.replace(' WITH TIME ZONE', '').toLowerCase()].join(' · ');

/** The name at a place, with or without quotes; null: there is none. */
function nameAt(text: string, offset: number): { name: string; start: number; end: number } | null {
  for (const { 0: token, index: start } of text.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|--[^\n]*|\w+/g)) {
    const end = start + token.length;
    if (offset < start) return null;
    if (offset > end || /^(?:'|--)/.test(token)) continue;
    return { name: token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token, start, end };
  }
  return null;
}

/** What a name in a statement means: a table, or the columns of this name. */
export function hoverSql(text: string, offset: number, tables: readonly SqlTable[]): Hover | null {
  const at = nameAt(text, offset);
  if (!at) return null;
  const { name, ...span } = at;
  const isSame = (other: { readonly name: string }) => other.name.toLowerCase() === name.toLowerCase();
  const table = tables.find(isSame);
  if (table) return { ...span, title: table.name, says: [table.label, w.rows(table.rows)] };
  const says = tables.flatMap((other) =>
    other.columns.filter(isSame).map((column) => w.column(other.name, columnText(column))),
  );
  return says.length === 0 ? null : { ...span, title: name, says };
}
