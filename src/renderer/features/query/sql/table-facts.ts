import * as z from 'zod';
import { sqlName } from '../../../../shared/sql/names.ts';
import type { ListField } from '../../../../shared/sql/wellpath.ts';
import type { SqlTable } from '../../../../shared/sql/sql.ts';
import type { Api } from '../../../api/api.ts';
import { parseRecords } from '../../records/request.ts';
import { maxTexts, noFacts, type TableFacts } from '../recipes/recipe-needs.ts';

/** A statement whose row has the structure of lists and the most frequent texts of each column. */
export function factsStatement(table: string, columns: readonly string[]): string {
  const parts = columns.flatMap((column, at) => {
    const name = `CAST(${sqlName(column)} AS VARCHAR)`;
    const list = `CASE WHEN starts_with(${name}, '[{') AND json_valid(${name}) THEN CAST(${name} AS JSON) END`;
    return [
      `CAST(json_group_structure(${list}) AS VARCHAR) AS list${at}`,
      `to_json(approx_top_k(left(${name}, 200), ${maxTexts})) AS texts${at}`,
    ];
  });
  return `SELECT ${parts.join(', ')} FROM ${sqlName(table)}`;
}

const row = z.record(z.string(), z.unknown());
const structure = z.tuple([z.record(z.string(), z.unknown())]);
const texts = z.array(z.string());

const parsed = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return null;
  }
};

/** The type in which SQL reads a field of a list. */
function fieldType(type: unknown): string {
  if (typeof type !== 'string') return 'JSON';
  if (/INT|DOUBLE|DECIMAL|FLOAT/.test(type)) return 'DOUBLE';
  return /^(?:VARCHAR|BOOLEAN)$/.test(type) ? type : 'JSON';
}

/** Reads the row of `factsStatement`. */
export function readFacts(columns: readonly string[], records: readonly unknown[]): TableFacts {
  const [values = {}] = records.map((record) => row.parse(record));
  const lists = columns.flatMap((column, at): [string, ListField[]][] => {
    const list = structure.safeParse(parsed(values[`list${at}`]));
    if (!list.success) return [];
    return [[column, Object.entries(list.data[0]).map(([name, type]) => ({ name, type: fieldType(type) }))]];
  });
  const named = columns.map((column, at): [string, string[]] => [
    column,
    texts.safeParse(parsed(values[`texts${at}`])).data ?? [],
  ]);
  return { lists: Object.fromEntries(lists), texts: Object.fromEntries(named) };
}

/** The types of columns that have states, stages, or wells. */
const hasFewValues = /^VARCHAR$|INT|^BOOLEAN$/;

/** What the columns of texts and whole numbers have. @throws AppError */
export async function tableFacts(
  api: Pick<Api['sql'], 'run'>,
  { name: table, columns: all }: SqlTable,
  signal: AbortSignal,
): Promise<TableFacts> {
  const columns = all.flatMap(({ name, type }) => (hasFewValues.test(type) ? [name] : []));
  if (columns.length === 0) return noFacts;
  const { records } = await api.run({ sql: factsStatement(table, columns), limit: 1 }, { signal });
  return readFacts(columns, parseRecords(records));
}
