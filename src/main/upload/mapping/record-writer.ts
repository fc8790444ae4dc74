import type { FileRow } from '../reading/rows.ts';
import { converter, Unfit } from './convert.ts';
import type { Convert, Notes } from './convert.ts';
import { cellProblem, problem } from './problems.ts';
import type { CellProblem } from './problems.ts';
import type { ColumnRule, Rules } from './rules.ts';
import { envelopeFields } from './targets.ts';

/** A place in the record that takes a value: from the columns mapped to it, else from its constant. */
interface Leaf {
  readonly name: string;
  readonly sources: readonly { readonly rule: ColumnRule; readonly convert: Convert }[];
  readonly constant: string | null;
  readonly required: boolean;
}
/** The record's shape: a leaf, or named parts in the order in which they are written. */
type Branch = {
  readonly parts: { readonly prefix: string; readonly node: Leaf | Branch }[];
  readonly always: boolean;
};

export type Written =
  { readonly record: string; readonly twice: number } | { readonly problems: readonly CellProblem[] };

const isLeaf = (node: Leaf | Branch): node is Leaf => 'sources' in node;
const nameOf = (path: readonly string[]): string => path.join('.');

/** Every path of the rules, envelope first and in its order, `data` last. */
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
  return {
    name,
    sources: rules.columns
      .filter((rule) => nameOf(rule.path) === name)
      .map((rule) => ({ rule, convert: converter(rule.conversion, rules.nulls) })),
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
      const there = branch.parts.find((part) => part.prefix === prefix);
      const isEnd = depth === path.length - 1 && nameOf(path) !== 'data';
      if (isEnd) branch.parts.push({ prefix, node: leafFor(path, rules) });
      else if (there && !isLeaf(there.node)) branch = there.node;
      else {
        const node: Branch = { parts: [], always: nameOf(path.slice(0, depth + 1)) === 'data' };
        branch.parts.push({ prefix, node });
        branch = node;
      }
    });
  }
  return root;
}

/** Numbers that differ only in how they are written are the same value. */
const agree = (a: string, b: string): boolean =>
  a === b || (a[0] !== '"' && b[0] !== '"' && Number(a) === Number(b));

export interface RecordWriterOptions {
  /** Whether a row without values of its own gives a record too. */
  readonly blankRows?: boolean;
}

/** What one row gathers on its way to a record. */
class RowWriting {
  readonly problems: CellProblem[] = [];
  readonly notes: Notes = { twice: 0 };
  readonly #cells: readonly string[];
  /** Whether any column gave a value. */
  filled = false;

  constructor(cells: readonly string[]) {
    this.#cells = cells;
  }

  branch({ parts, always }: Branch): string | null {
    let text = '';
    for (const { prefix, node } of parts) {
      const part = isLeaf(node) ? this.#leaf(node) : this.branch(node);
      if (part !== null) text += text === '' ? prefix + part : `,${prefix}${part}`;
    }
    return text === '' && !always ? null : `{${text}}`;
  }

  #leaf(leaf: Leaf): string | null {
    const { name, sources, constant, required } = leaf;
    let value: string | null = null;
    let wrong = false;
    for (const { rule, convert } of sources) {
      const cell = this.#cells[rule.index] ?? '';
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

/** What is wrong with a row before its cells are looked at; null: nothing. */
function rowProblem({ cells, problem: broken }: FileRow, columns: number): CellProblem | null {
  if (broken !== null) return problem(broken, null);
  if (cells.length < columns) return problem('too_few_cells', null);
  const more = cells.length > columns && cells.slice(columns).some((cell) => cell.trim() !== '');
  return more ? problem('too_many_cells', null) : null;
}

/**
 * Turns rows into the JSON text of records, without a line break in it. A row with anything wrong gives its problems
 * instead, all of them.
 */
export function createRecordWriter(
  rules: Rules,
  columns: number,
  { blankRows = false }: RecordWriterOptions = {},
): (row: FileRow) => Written {
  const shape = shapeOf(rules);
  return (row) => {
    const wrong = rowProblem(row, columns);
    if (wrong) return { problems: [wrong] };
    const writing = new RowWriting(row.cells);
    const record = writing.branch(shape) ?? '{}';
    const { problems, filled, notes } = writing;
    if (!blankRows && !filled && problems.every(({ code }) => code === 'missing_value'))
      return { problems: [problem('empty_row', null)] };
    return problems.length > 0 ? { problems } : { record, twice: notes.twice };
  };
}
