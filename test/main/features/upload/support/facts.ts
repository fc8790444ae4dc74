import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Facts about each real file, established without our code. */
export interface Fact {
  readonly file: string;
  readonly sha256: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly null_words: readonly string[];
  readonly header_line: number | null;
  readonly unit_rows: number;
  readonly facts: {
    readonly rows: number | null;
    readonly columns?: readonly string[] | null;
    readonly unit_row?: readonly string[];
    readonly eol?: Readonly<Record<string, number>>;
    readonly duplicate_names?: readonly string[];
    readonly empty_columns?: readonly string[];
    readonly index?: string | null;
    readonly index_min?: string | null;
    readonly index_max?: string | null;
    readonly index_order?: string;
    readonly num?: string | null;
    readonly num_sum?: string | null;
    readonly num_min?: string | null;
    readonly num_max?: string | null;
    readonly num_nulls?: number | null;
    readonly num_not_numeric?: number;
  };
}

/** The folder of the real files, if it exists. */
export const folder =
  process.env['WELLBENCH_SHARED_DATA'] ?? join(import.meta.dirname, '../../../../../../shared/data');
const list = join(folder, 'FACTS.json');
export const hasRealFiles = existsSync(list);
// Files in other formats (LAS, DLIS, spreadsheets) have no facts of a table.
export const facts: Fact[] = hasRealFiles
  ? (JSON.parse(readFileSync(list, 'utf8')) as Partial<Fact>[]).filter(
      (fact): fact is Fact => 'facts' in fact,
    )
  : [];
/** The files that are tables, whose rows can be counted. */
export const tables = facts.filter(
  ({ delimiter, facts: { rows } }) => delimiter !== 'LAS' && typeof rows === 'number',
);

/** Rows after the table that the facts don't count. */
export const footerRowsByFile: Readonly<Record<string, number>> = {
  'messy/spanish_chars.csv': 1,
  'messy/excel_pasting.csv': 3,
};
