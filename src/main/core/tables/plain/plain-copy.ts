import { plainKinds, type PlainCells } from './plain-cells.ts';
import type { TextBuffer } from '../../records/text-buffer.ts';
import type { Conversion } from '../model/rules.ts';
import { numericNulls } from '../../../../shared/upload/null-tokens.ts';

/** Copies a cell's bytes as its value; false, with nothing written, if the cell needs conversion. */
export type PlainCopy = (cells: PlainCells, index: number, into: TextBuffer) => boolean;

const quote = 0x22;
const thousand = Buffer.from('000');
/** The last second that has a date. */
const maxSeconds = 8.64e12;

/**
 * Conversions that copy a plain number unchanged, for such cells only; null: none. They equal {@link converter} without
 * creating a text.
 */
export function plainCopy(conversion: Conversion, nulls: readonly string[]): PlainCopy | null {
  const none = numericNulls(nulls);
  const copy = copyOf(conversion);
  if (!copy) return null;
  return (cells, index, into) => {
    const kind = cells.kinds[index];
    const isNumber = kind === plainKinds.integer || kind === plainKinds.number;
    if (!isNumber || (none.size > 0 && none.has(cells.values[index] ?? 0))) return false;
    return copy(cells, index, into);
  };
}

function copyOf(conversion: Conversion): PlainCopy | null {
  switch (conversion.kind) {
    case 'number':
      if (conversion.units) return null;
      if (conversion.style.decimal === '.') return copyUnchanged;
      return (cells, index, into) =>
        cells.kinds[index] === plainKinds.integer && copyUnchanged(cells, index, into);
    case 'integer':
      return (cells, index, into) =>
        cells.kinds[index] === plainKinds.integer && copyUnchanged(cells, index, into);
    case 'string':
      return conversion.digits === undefined ? inQuotes : null;
    case 'time':
      if (conversion.as !== 'ms') return null;
      if (conversion.format === 'unix_ms')
        return (cells, index, into) => isTime(cells, index) && copyUnchanged(cells, index, into);
      return conversion.format === 'unix_s' ? seconds : null;
    case 'boolean':
    case 'asset':
    default:
      return null;
  }
}

/** Zero is excluded because of its sign, which a time doesn't have. */
function isTime(cells: PlainCells, index: number): boolean {
  const value = cells.values[index] ?? 0;
  return cells.kinds[index] === plainKinds.integer && value !== 0 && Math.abs(value) < maxSeconds * 1000;
}

function copyUnchanged({ bytes, starts, ends }: PlainCells, index: number, into: TextBuffer): true {
  into.range(bytes, starts[index] ?? 0, ends[index] ?? 0);
  return true;
}

function inQuotes(cells: PlainCells, index: number, into: TextBuffer): true {
  into.byte(quote);
  copyUnchanged(cells, index, into);
  into.byte(quote);
  return true;
}

function seconds(cells: PlainCells, index: number, into: TextBuffer): boolean {
  if (!isTime(cells, index) || Math.abs(cells.values[index] ?? 0) >= maxSeconds) return false;
  copyUnchanged(cells, index, into);
  into.range(thousand, 0, thousand.length);
  return true;
}
