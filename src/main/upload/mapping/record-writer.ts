import type { FileRow } from '../reading/rows.ts';
import type { PlainCells } from '../plain/plain-cells.ts';
import { converter, joinCells, Unfit } from './convert.ts';
import type { Convert, Notes } from './convert.ts';
import { plainCopy } from '../plain/plain-copy.ts';
import type { PlainCopy } from '../plain/plain-copy.ts';
import { cellProblem, problem } from '../model/problems.ts';
import type { CellProblem } from '../model/problems.ts';
import { RecordText } from '../plain/record-text.ts';
import type { ColumnRule, Rules } from '../model/rules.ts';
import { envelopeFields } from '../model/targets.ts';

/** A column that is mapped to a path. */
interface LeafSource {
  readonly rule: ColumnRule;
  readonly convert: Convert;
  readonly copy: PlainCopy | null;
}
/** A path of the record: its value comes from the mapped columns, else from its constant. */
interface Leaf {
  readonly name: string;
  readonly sources: readonly LeafSource[];
  /** Its only source, if the bytes can be copied. */
  readonly plain: (LeafSource & { readonly copy: PlainCopy }) | null;
  readonly constant: string | null;
  readonly required: boolean;
}
/** The shape of the record: a leaf, or named parts in the order of writing. */
type Branch = {
  readonly parts: { readonly prefix: string; readonly bytes: Uint8Array; readonly node: Leaf | Branch }[];
  readonly always: boolean;
};

export type Written =
  | { readonly record: string; readonly twice: number }
  | { readonly problems: readonly CellProblem[] };

const isLeaf = (node: Leaf | Branch): node is Leaf => 'sources' in node;
const nameOf = (path: readonly string[]): string => path.join('.');

/** All paths of the rules: the envelope in its order, then `data`. */
function orderedPaths({ columns, constants, required }: Rules): string[][] {
  const byName = new Map<string, string[]>();
  for (const { path } of [...required.map((path) => ({ path })), ...columns, ...constants])
    byName.set(nameOf(path), path);
  const rank = ([root = '']: string[]): number => {
    const place = envelopeFields.indexOf(root);
    return place >= 0 ? place : root === 'metadata' ? envelopeFields.length : envelopeFields.length + 1;
  };
  return [...byName.values()].sort((a, b) => rank(a) - rank(b));
}

function leafFor(path: readonly string[], rules: Rules): Leaf {
  const name = nameOf(path);
  const sources = rules.columns
    .filter((rule) => nameOf(rule.path) === name)
    .map((rule) => ({
      rule,
      convert: converter(rule.conversion, rules.nulls),
      copy: rule.join ? null : plainCopy(rule.conversion, rules.nulls),
    }));
  const [only, ...others] = sources;
  return {
    name,
    sources,
    plain: only?.copy && others.length === 0 ? { ...only, copy: only.copy } : null,
    constant: rules.constants.find((constant) => nameOf(constant.path) === name)?.json ?? null,
    required: rules.required.some((needed) => nameOf(needed) === name),
  };
}

function shapeOf(rules: Rules): Branch {
  const root: Branch = { parts: [], always: true };
  for (const path of [...orderedPaths(rules), ['data']]) {
    let branch = root;
    path.forEach((segment, depth) => {
      const prefix = `${JSON.stringify(segment)}:`;
      const bytes = Buffer.from(prefix);
      const there = branch.parts.find((part) => part.prefix === prefix);
      const isEnd = depth === path.length - 1 && nameOf(path) !== 'data';
      if (isEnd) branch.parts.push({ prefix, bytes, node: leafFor(path, rules) });
      else if (there && !isLeaf(there.node)) branch = there.node;
      else {
        const node: Branch = { parts: [], always: nameOf(path.slice(0, depth + 1)) === 'data' };
        branch.parts.push({ prefix, bytes, node });
        branch = node;
      }
    });
  }
  return root;
}

/** Numbers that differ only in notation are equal. */
const agree = (a: string, b: string): boolean =>
  a === b || (a[0] !== '"' && b[0] !== '"' && Number(a) === Number(b));

interface RecordWriterOptions {
  /** Whether a row without values of its own becomes a record too. */
  readonly blankRows?: boolean;
}

/** The state of one row while its record is written. */
class RowWriting {
  problems: CellProblem[] = [];
  readonly notes: Notes = { twice: 0 };
  readonly #into: RecordText;
  readonly #nulls: readonly string[];
  #plain: PlainCells | null = null;
  #cells: readonly string[] = [];
  /** Whether any column had a value. */
  filled = false;

  constructor(into: RecordText, nulls: readonly string[]) {
    this.#into = into;
    this.#nulls = nulls;
  }

  begin(row: FileRow): void {
    this.#plain = row.plain;
    this.#cells = row.plain ? [] : row.cells;
    this.filled = false;
    this.notes.twice = 0;
    if (this.problems.length > 0) this.problems = [];
  }

  /** Whether anything was written. */
  branch({ parts, always }: Branch): boolean {
    const into = this.#into;
    const start = into.length;
    let empty = true;
    into.open();
    for (const { bytes, node } of parts) {
      const mark = into.length;
      if (!empty) into.comma();
      into.bytes(bytes, 0, bytes.length);
      if (isLeaf(node) ? this.#leaf(node) : this.branch(node)) empty = false;
      else into.length = mark;
    }
    if (empty && !always) into.length = start;
    else into.close();
    return !empty || always;
  }

  #leaf(leaf: Leaf): boolean {
    const { plain } = leaf;
    const cells = this.#plain;
    if (plain && cells && plain.copy(cells, plain.rule.index, this.#into)) return (this.filled = true);
    const value = this.#value(leaf);
    if (value !== null) this.#into.string(value);
    return value !== null;
  }

  #cell(index: number): string {
    return this.#plain ? this.#plain.text(index) : (this.#cells[index] ?? '');
  }

  #value({ name, sources, constant, required }: Leaf): string | null {
    let value: string | null = null;
    let wrong = false;
    for (const { rule, convert } of sources) {
      const cell = rule.join
        ? joinCells(
            [rule.index, ...rule.join].map((index) => this.#cell(index)),
            this.#nulls,
          )
        : this.#cell(rule.index);
      if (cell === '' || cell.trim() === '') continue;
      const found = convert(cell, this.notes);
      if (found instanceof Unfit) {
        this.problems.push(cellProblem(found.code, rule.column, cell));
        wrong = true;
      } else if (found !== null && value !== null && !agree(value, found)) {
        this.problems.push(problem('columns_disagree', rule.column, name));
        wrong = true;
      } else value ??= found;
    }
    if (value !== null) this.filled = true;
    value ??= constant;
    if (value === null && required && !wrong)
      this.problems.push(problem('missing_value', sources[0]?.rule.column ?? null, name));
    return value;
  }
}

/** The error of a row before its cells are converted; null: none. */
function rowProblem(row: FileRow, columns: number): CellProblem | null {
  if (row.plain?.count === columns) return null;
  const { cells, problem: broken } = row;
  if (broken !== null) return problem(broken, null);
  if (cells.length < columns) return problem('too_few_cells', null);
  const more = cells.length > columns && cells.slice(columns).some((cell) => cell.trim() !== '');
  return more ? problem('too_many_cells', null) : null;
}

/** Appends a row's record. If the row has errors, appends nothing and returns all of them. */
export type WriteRow = (
  row: FileRow,
) => { readonly problems: readonly CellProblem[] } | { readonly twice: number };

/** Writes rows as JSON texts of records, without line breaks. */
export function createRowWriter(
  into: RecordText,
  rules: Rules,
  columns: number,
  { blankRows = false }: RecordWriterOptions = {},
): WriteRow {
  const shape = shapeOf(rules);
  const writing = new RowWriting(into, rules.nulls);
  return (row) => {
    const wrong = rowProblem(row, columns);
    if (wrong) return { problems: [wrong] };
    const start = into.length;
    writing.begin(row);
    writing.branch(shape);
    const { problems, filled, notes } = writing;
    const isBlank = !blankRows && !filled && problems.every(({ code }) => code === 'missing_value');
    if (!isBlank && problems.length === 0) return { twice: notes.twice };
    into.length = start;
    return { problems: isBlank ? [problem('empty_row', null)] : problems };
  };
}

/** As {@link createRowWriter}, for one record after another. */
export function createRecordWriter(
  rules: Rules,
  columns: number,
  options: RecordWriterOptions = {},
): (row: FileRow) => Written {
  const into = new RecordText();
  const write = createRowWriter(into, rules, columns, options);
  return (row) => {
    into.length = 0;
    const written = write(row);
    return 'problems' in written ? written : { record: into.text(0), twice: written.twice };
  };
}
