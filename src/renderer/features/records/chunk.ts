import { type JsonObject, type JsonValue, stringifyJson } from '../../../shared/json.ts';
import { kindOf } from './columns.ts';
import type { Cell, ColumnHead, ColumnKind, HeldCell, Nested } from './table.ts';

/** The cells of one column in the records of one page, exact, in the least memory that can be had cheaply. */
export interface Chunk extends ColumnHead {
  readonly held: (row: number) => HeldCell;
  /** Writes the rows' numbers into `into` at `at`; NaN where there is none. Times are Unix milliseconds. */
  readonly numbers: (from: number, to: number, into: Float64Array, at: number) => void;
}

/** A column as it can be sent from one thread to another. */
export interface PackedChunk extends ColumnHead {
  readonly packed:
    | { readonly values: Float64Array<ArrayBuffer>; readonly gaps: Uint8Array<ArrayBuffer> | null }
    | { readonly cells: readonly HeldCell[] };
}

/** Packs a column: one of nothing but doubles, with or without gaps, is a piece of memory. */
export function packed(path: readonly string[], cells: readonly HeldCell[]): PackedChunk {
  const kind = kindOf(path, cells);
  const numeric = kind === 'integer' || kind === 'number' || kind === 'time';
  return { path, kind, characters: widest(cells), packed: (numeric ? doubles(cells) : null) ?? { cells } };
}

/** A packed column, to be read. */
export function unpacked({ packed: held, ...head }: PackedChunk): Chunk {
  return { ...head, ...('cells' in held ? loose(held.cells, head.kind) : dense(held)) };
}

export const chunkOf = (path: readonly string[], cells: readonly HeldCell[]): Chunk =>
  unpacked(packed(path, cells));

type Cells = Pick<Chunk, 'held' | 'numbers'>;
type Doubles = Exclude<PackedChunk['packed'], { cells: unknown }>;

const isNull = 1;
const isAbsent = 2;

function doubles(cells: readonly HeldCell[]): Doubles | null {
  const values = new Float64Array(cells.length);
  let gaps: Uint8Array<ArrayBuffer> | null = null;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row];
    if (typeof cell === 'number') values[row] = cell;
    else if (cell === null || cell === undefined) {
      gaps ??= new Uint8Array(cells.length);
      gaps[row] = cell === null ? isNull : isAbsent;
      values[row] = Number.NaN;
    } else return null;
  }
  return { values, gaps };
}

const dense = ({ values, gaps }: Doubles): Cells => ({
  held(row) {
    const gap = gaps?.[row];
    if (gap) return gap === isNull ? null : undefined;
    return values[row];
  },
  numbers: (from, to, into, at) => into.set(values.subarray(from, to), at),
});

function loose(cells: readonly HeldCell[], kind: ColumnKind): Cells {
  return {
    held: (row) => cells[row],
    numbers(from, to, into, at) {
      for (let row = from; row < to; row += 1) into[at + row - from] = numberOf(cells[row], kind);
    },
  };
}

function numberOf(cell: HeldCell, kind: ColumnKind): number {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'bigint') return Number(cell);
  return kind === 'date' && typeof cell === 'string' ? Date.parse(cell) : Number.NaN;
}

/** A cell as the window gets it: what is nested as a look at it. */
export function cellOf(held: HeldCell): Cell {
  return typeof held === 'object' && held !== null ? nested(held) : held;
}

const previewLength = 400;

function nested(value: JsonValue[] | JsonObject): Nested {
  const array = Array.isArray(value);
  // A long array is not written out whole to show how it begins; no value is shorter than one letter and a comma.
  const text = stringifyJson(array ? value.slice(0, previewLength / 2) : value);
  return {
    parts: array ? value.length : Object.keys(value).length,
    array,
    preview: text.length > previewLength ? `${text.slice(0, previewLength)}…` : text,
  };
}

const looked = 200;

function widest(cells: readonly HeldCell[]): number {
  let most = 0;
  for (const cell of cells.slice(0, looked)) {
    if (cell === undefined) continue;
    const length = typeof cell === 'object' && cell !== null ? 10 : String(cell).length;
    if (length > most) most = length;
  }
  return most;
}
