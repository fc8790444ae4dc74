import { columnTexts } from '../../../shared/column-paths.ts';
import type { ColumnNames } from '../../../shared/export/export.ts';

/**
 * The distinct names of columns. `underscore`: `data_rop` for `data.rop`, which needs no quotes in SQL. A name that
 * occurs again gets a number, also if only its case differs: engines ignore case in names.
 */
export function columnNames(paths: readonly string[], style: ColumnNames): string[] {
  const used = new Set<string>();
  return columnTexts(paths).map((text) => {
    const base = style === 'dotted' ? text.replaceAll('\0', '_') : text.replaceAll(/[^\p{L}\p{N}_]/gu, '_');
    // Engines have no empty names.
    const plain = base === '' ? '_' : base;
    let name = plain;
    for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
    used.add(name.toLowerCase());
    return name;
  });
}
