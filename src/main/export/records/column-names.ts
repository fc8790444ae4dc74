import { columnTexts } from '../../../shared/column-paths.ts';
import type { ColumnNames } from '../../../shared/export/export.ts';

/**
 * The distinct names of columns. `underscore`: `data_rop` for `data.rop`, which needs no quotes in SQL; a name that
 * occurs again gets a number.
 */
export function columnNames(paths: readonly string[], style: ColumnNames): string[] {
  const dotted = columnTexts(paths);
  if (style === 'dotted') return dotted;
  const used = new Set<string>();
  return dotted.map((path) => {
    const plain = path.replaceAll(/[^\p{L}\p{N}_]/gu, '_');
    let name = plain;
    // Engines ignore case in names.
    for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
    used.add(name.toLowerCase());
    return name;
  });
}
