import { columnTexts } from '../../../shared/column-paths.ts';
import { sqlColumnName } from '../../../shared/sql/names.ts';
import type { ColumnNames } from '../../../shared/export/export.ts';

/** The order of names in which the first of equal ones keeps its name: those in small letters come first. */
export function compareNames(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()];
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1;
  return a === b ? 0 : a > b ? -1 : 1;
}

/**
 * The distinct names of columns, in their order. `underscore`: `data_rop` for `data.rop`, which needs no quotes in SQL. A name that
 * occurs again gets a number, also if only its case differs: engines ignore case in names. Which of them gets it depends on
 * the paths alone, not on the order in which they occurred.
 */
export function columnNames(paths: readonly string[], style: ColumnNames): string[] {
  const used = new Set<string>();
  const texts = columnTexts(paths);
  const names: string[] = [...texts];
  for (const [at, text] of [...texts.entries()].toSorted(([, a], [, b]) => compareNames(a, b))) {
    const base = style === 'dotted' ? text.replaceAll('\0', '_') : sqlColumnName(text);
    // Engines have no empty names.
    const plain = base === '' ? '_' : base;
    let name = plain;
    for (let number = 2; used.has(name.toLowerCase()); number += 1) name = `${plain}_${number}`;
    used.add(name.toLowerCase());
    names[at] = name;
  }
  return names;
}

/** A column with more distinct values than this doesn't name wells. */
export const maxWells = 20_000;
