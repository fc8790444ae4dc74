import { isSameText } from '../../../shared/instants.ts';
import { joinCells, notesFor, Unfit } from './convert.ts';
import { cellOf } from '../tables/reading/rows.ts';
import type { RecordRow } from './record-row.ts';
import { isBranch, isLeaf, shapeOf, type Branch, type Leaf, type List } from './record-shape.ts';
import { cellProblem, problem, type CellProblem, type RowProblem } from '../tables/model/targets.ts';
import { TextBuffer } from '../records/text-buffer.ts';
import type { ColumnRule, FoldRule, Rules } from '../tables/model/plan.ts';

const [comma, open, close] = [0x2c, 0x7b, 0x7d];

export type Written =
  | { readonly record: string; readonly twice: number }
  | { readonly problems: readonly RowProblem[] };

/** Numbers and times that differ only in notation are equal. */
const agree = (a: string, b: string): boolean => {
  if (a === b) return true;
  const areTexts = a.startsWith('"');
  if (areTexts !== b.startsWith('"')) return false;
  return areTexts ? isSameText(a.slice(1, -1), b.slice(1, -1)) : Number(a) === Number(b);
};

interface RecordWriterOptions {
  /** Whether a row without values of its own becomes a record too. */
  readonly blankRows?: boolean;
}

/** The state of one record while it is written. */
class RecordWriting {
  problems: RowProblem[] = [];
  readonly notes = notesFor();
  readonly #into: TextBuffer;
  readonly #nulls: ReadonlySet<string>;
  /** All rows of the record, or the one of the item that is being written. */
  #rows: readonly RecordRow[] = [];
  /** Whether any column had a value. */
  filled = false;

  constructor(into: TextBuffer, nulls: readonly string[]) {
    this.#into = into;
    this.#nulls = new Set(nulls);
  }

  begin(rows: readonly RecordRow[], problems: readonly RowProblem[]): void {
    this.#rows = rows;
    this.filled = false;
    this.notes.twice = 0;
    if (this.problems.length + problems.length > 0) this.problems = [...problems];
  }

  #add(row: RecordRow, fault: CellProblem): void {
    this.problems.push({ ...fault, line: row.record.line });
  }

  /** Whether anything was written. */
  branch({ parts, always }: Branch): boolean {
    const into = this.#into;
    const start = into.length;
    let empty = true;
    into.byte(open);
    for (const { bytes, node } of parts) {
      const mark = into.length;
      if (!empty) into.byte(comma);
      into.range(bytes, 0, bytes.length);
      if (isLeaf(node) ? this.#leaf(node) : isBranch(node) ? this.branch(node) : this.#list(node))
        empty = false;
      else into.length = mark;
    }
    if (empty && !always) into.length = start;
    else into.byte(close);
    return !empty || always;
  }

  #list({ item }: List): true {
    const rows = this.#rows;
    const wasFilled = this.filled;
    let isAnyFilled = false;
    this.#into.text('[');
    rows.forEach((row, index) => {
      if (index > 0) this.#into.byte(comma);
      this.#rows = [row];
      this.filled = false;
      const before = this.problems.length;
      this.branch(item);
      if (!this.filled && this.problems.length === before) this.#add(row, problem('empty_row', null));
      isAnyFilled ||= this.filled;
    });
    this.#into.text(']');
    this.#rows = rows;
    this.filled = wasFilled || isAnyFilled;
    return true;
  }

  #leaf(leaf: Leaf): boolean {
    const { plain } = leaf;
    const cells = this.#rows[0]?.plain;
    if (plain && cells && plain.copy(cells, plain.rule.index, this.#into)) return (this.filled = true);
    const value = this.#value(leaf);
    if (value !== null) this.#into.text(value);
    return value !== null;
  }

  #text(row: RecordRow, { index, join }: ColumnRule): string {
    if (!join) return cellOf(row, index);
    return joinCells(
      [index, ...join].map((cellIndex) => cellOf(row, cellIndex)),
      this.#nulls,
    );
  }

  #value({ name, sources, constant, required }: Leaf): string | null {
    let value: string | null = null;
    let from: RecordRow | null = null;
    let wrong = false;
    for (const row of this.#rows) {
      this.notes.row = row;
      for (const { rule, convert } of sources) {
        const cell = this.#text(row, rule);
        if (cell === '' || cell.trim() === '') continue;
        const newValue = convert(cell, this.notes);
        if (newValue instanceof Unfit) {
          this.#add(row, cellProblem(newValue.code, rule.column, cell));
          wrong = true;
        } else if (newValue !== null && value !== null && !agree(value, newValue)) {
          this.#add(row, problem(from === row ? 'columns_disagree' : 'rows_disagree', rule.column, name));
          wrong = true;
        } else if (newValue !== null && value === null) {
          value = newValue;
          from = row;
        }
      }
    }
    if (value !== null) this.filled = true;
    value ??= constant;
    const [first] = this.#rows;
    if (value === null && required && !wrong && first)
      this.#add(first, problem('missing_value', sources[0]?.rule.column ?? null, name));
    return value;
  }
}

/** The error of a row before its cells are converted; null: none. */
function rowProblem(row: RecordRow, columns: number): CellProblem | null {
  if (row.plain?.count === columns) return null;
  if (row.problem !== null) return problem(row.problem, null);
  const cells = row.texts();
  if (cells.length < columns) return problem('too_few_cells', null);
  const more = cells.length > columns && cells.slice(columns).some((cell) => cell.trim() !== '');
  return more ? problem('too_many_cells', null) : null;
}

/** The error of a row without the value by which rows are combined; null: none. */
function groupProblem(row: RecordRow, { by }: Pick<FoldRule, 'by'>): CellProblem | null {
  if (by === null || cellOf(row, by.index).trim() !== '') return null;
  return problem('no_group', by.column, by.column);
}

const isBroken = ({ record }: RecordRow, broken: readonly RowProblem[]): boolean =>
  broken.some(({ line }) => line === record.line);

/** Appends the record of its rows. If one of them has errors, appends nothing and returns all errors. */
export type WriteRows = (
  rows: readonly RecordRow[],
) => { readonly problems: readonly RowProblem[] } | { readonly twice: number };

/** Writes rows as JSON texts of records, without line breaks. */
export function createRowWriter(
  into: TextBuffer,
  rules: Rules,
  columns: number,
  { blankRows = false }: RecordWriterOptions = {},
): WriteRows {
  const shape = shapeOf(rules);
  const { fold } = rules;
  const writing = new RecordWriting(into, rules.nulls);
  return (rows) => {
    const broken: RowProblem[] = [];
    for (const row of rows) {
      const problem = rowProblem(row, columns) ?? (fold ? groupProblem(row, fold) : null);
      if (problem) broken.push({ ...problem, line: row.record.line });
    }
    if (broken.length === rows.length) return { problems: broken };
    const start = into.length;
    writing.begin(broken.length > 0 ? rows.filter((row) => !isBroken(row, broken)) : rows, broken);
    writing.branch(shape);
    const { problems, filled, notes } = writing;
    const isBlank = !blankRows && !filled && problems.every(({ code }) => code === 'missing_value');
    if (!isBlank && problems.length === 0) return { twice: notes.twice };
    into.length = start;
    if (!isBlank) return { problems };
    return { problems: [{ ...problem('empty_row', null), line: rows[0]?.record.line ?? 0 }] };
  };
}

/** As {@link createRowWriter}, for one record after another. */
export function createRecordWriter(
  rules: Rules,
  columns: number,
  options: RecordWriterOptions = {},
): (rows: readonly RecordRow[]) => Written {
  const into = new TextBuffer();
  const write = createRowWriter(into, rules, columns, options);
  return (rows) => {
    into.length = 0;
    const written = write(rows);
    return 'problems' in written ? written : { record: into.textFrom(0), twice: written.twice };
  };
}
