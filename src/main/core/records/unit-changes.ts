import * as z from 'zod';
import { unitInName } from '../../../shared/channels/header.ts';
import { symbolText, unitNamed, unitOf, valueConverter } from '../../../shared/channels/units.ts';
import type { CsvLayout } from '../../../shared/csv.ts';
import { jsonNumber } from '../../../shared/json.ts';
import { isNumberStart } from './json-text.ts';
import { TextBuffer } from './text-buffer.ts';
import { type PathTree, endOf, leafFrom, leafTo, type ScannedPage, startOf, textIn } from './scan.ts';

/** The units of the numbers at some paths, before and after. */
export const unitChanges = z.record(z.string(), z.object({ from: z.string(), to: z.string() }));
export type UnitChanges = z.infer<typeof unitChanges>;

/** The layout of a CSV, with the units that its numbers are converted to, also in names that end with the old unit. */
export const layoutIn = (layout: CsvLayout, changes: UnitChanges): CsvLayout => {
  const hasUnits = Object.keys(layout.units).length > 0;
  const converted = Object.entries(changes)
    .filter(([path]) => hasUnits || unitInName(path) !== null)
    .map(([path, { to }]) => [path, symbolText(to)]);
  return { ...layout, units: { ...layout.units, ...Object.fromEntries(converted) } };
};

/** `from` is the text of the dataset; `to` is a symbol, and some symbols are not clear as texts: W, g. */
function converterOf({ from, to }: UnitChanges[string]) {
  const unit = unitNamed(to);
  return valueConverter(unitOf(from, unit?.quantity), unit);
}

const comma = 44;

/**
 * Creates a function that writes records with numbers in other units. All other bytes stay the same, and so do numbers
 * in lists and null values such as -999.25. A number that is too large in the other unit becomes null.
 * @param tree of the pages
 */
export function createUnitConverter(changes: UnitChanges, tree: PathTree) {
  const byPath = new Map(Object.entries(changes).map(([path, change]) => [path, converterOf(change)]));
  const lines = new TextBuffer();
  /** @returns the JSON of an array of the given records, valid until the next call */
  return (page: ScannedPage, records: readonly number[]): Uint8Array => {
    const { bytes, leaves } = page;
    lines.text('[');
    for (const [at, record] of records.entries()) {
      if (at > 0) lines.byte(comma);
      let copied = startOf(page, record);
      const to = leafTo(page, record);
      for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
        const convert = byPath.get(tree.nodes[leaves[leaf] ?? 0]?.path ?? '');
        const start = leaves[leaf + 1] ?? 0;
        if (!convert || !isNumberStart(bytes[start])) continue;
        const end = leaves[leaf + 2] ?? 0;
        lines.range(bytes, copied, start);
        lines.text(jsonNumber(convert(Number(textIn(page, start, end)))));
        copied = end;
      }
      lines.range(bytes, copied, endOf(page, record));
    }
    lines.text(']');
    return lines.take();
  };
}
