import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nullsOf } from '../../../../../src/shared/upload/null-tokens.ts';
import { converter, notesFor } from '../../../../../src/main/core/mapping/record-writer.ts';
import { columnType } from '../../../../../src/main/core/tables/tables.ts';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { RowReader } from '../../../../../src/main/core/tables/reading/rows.ts';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import type { Scan } from '../../../../../src/main/core/tables/reading/scan.ts';
import {
  facts,
  footerRowsByFile,
  folder,
  tables,
  hasRealFiles,
  type Fact,
} from '../../../features/upload/support/facts.ts';
import { scanPath } from '../../../features/upload/support/files.ts';

const encodings: readonly [RegExp, string][] = [
  [/^(ASCII|UTF-8)/, 'UTF-8'],
  [/^UTF-16/, 'UTF-16LE'],
  [/^Windows-1252/, 'Windows-1252'],
];

const scans = new Map<string, Scan>();
/** A file and its facts, scanned once for all tests. */
function scanFact({ file, null_words }: Fact): Scan {
  const known = scans.get(file);
  if (known) return known;
  const made = scanPath(join(folder, file), { footerRows: footerRowsByFile[file] ?? 0 }, [...null_words]);
  scans.set(file, made);
  return made;
}

describe.skipIf(!hasRealFiles)('inspect, compared with FACTS.json (skipped without ../shared/data)', () => {
  it.each(tables.map((fact) => [fact.file, fact] as const))('%s', (_file, fact) => {
    const scan = scanFact(fact);
    const found = inspectionOf(scan);
    const { facts: known } = fact;
    expect(scan.sha256).toBe(fact.sha256);
    expect(found.rows).toBe(known.rows);
    expect(found.encoding).toBe(encodings.find(([pattern]) => pattern.test(fact.encoding))?.[1]);
    expect(found.delimiter).toBe(fact.delimiter);
    expect(found.headerRow).toBe(fact.header_line ?? 0);
    expect(found.unitRow === null).toBe(fact.unit_rows === 0);
    if (known.columns && fact.header_line !== null)
      expect(found.columns.map(({ name }) => name)).toEqual(known.columns);
    if (known.unit_row)
      expect(found.columns.map(({ unit }) => unit ?? '')).toEqual(known.unit_row.map((unit) => unit.trim()));
    if (Object.keys(known.eol ?? {}).length === 1)
      expect(found.newline).toBe(Object.keys(known.eol ?? {})[0]);
    const duplicates = found.warnings.filter(({ code }) => code === 'duplicate_names').length;
    expect(duplicates > 0).toBe((known.duplicate_names ?? []).length > 0);
    for (const name of known.empty_columns ?? [])
      expect(found.columns.find((column) => column.name === name)?.type).toBe('empty');
  });

  const numeric = tables.filter(
    ({ header_line, facts: { num, num_min, num_not_numeric } }) =>
      header_line !== null && num && num_min && num_not_numeric === 0,
  );
  it.each(numeric.map((fact) => [fact.file, fact] as const))(
    '%s: minimum, maximum, and missing values of a numeric column',
    (_file, fact) => {
      const found = inspectionOf(scanFact(fact));
      const column = found.columns.find(({ name }) => name === fact.facts.num);
      expect(column?.type).toMatch(/number|integer/);
      expect(Number(column?.min)).toBe(Number(fact.facts.num_min));
      expect(Number(column?.max)).toBe(Number(fact.facts.num_max));
      expect(column?.nulls).toBe(fact.facts.num_nulls);
    },
  );

  const indexed = tables.filter(
    ({ header_line, facts: { index, index_order } }) =>
      header_line !== null && index && index_order === 'as text',
  );
  it.each(indexed.map((fact) => [fact.file, fact] as const))(
    '%s: first and last index value, as text',
    (_file, fact) => {
      const found = inspectionOf(scanFact(fact));
      const column = found.columns.find(({ name }) => name === fact.facts.index);
      expect([column?.min, column?.max]).toEqual([fact.facts.index_min, fact.facts.index_max]);
    },
  );

  const las = facts.filter(({ delimiter }) => delimiter === 'LAS');
  it.each(las.map(({ file }) => file))('rejects %s as a LAS file, with the next step', (file) => {
    expect(() => scanPath(join(folder, file))).toThrow(/LAS file.*export its curves as CSV/);
  });

  it('reads values in quotes after blanks without the quotes: tool-16-space-before-quote.csv', () => {
    const found = inspectionOf(scanPath(join(folder, 'cases/tool-16-space-before-quote.csv')));
    expect(found.columns.map(({ min, max }) => [min, max])).toEqual([
      [1, 2],
      ['x', 'y'],
    ]);
  });

  it('excludes the comments of test_comments_multiple.csv: 4 rows', () => {
    const found = inspectionOf(scanPath(join(folder, 'messy/test_comments_multiple.csv')));
    expect(found.rows).toBe(4);
    expect(found.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'comment_lines', line: 3 }));
  });

  it('warns about test_quoted_delim_multiple_newlines.csv and reads it anyway', () => {
    const found = inspectionOf(scanPath(join(folder, 'messy/test_quoted_delim_multiple_newlines.csv')));
    const codes = found.warnings.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['odd_quotes', 'ragged_rows']));
  });

  it('detects digits that a spreadsheet dropped', () => {
    const found = inspectionOf(scanPath(join(folder, 'reference/ndic_well_index_excel_damaged.csv')));
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'excel_damage', line: 2 }));
  });

  it('reports where characters were lost before the file was saved', () => {
    const found = inspectionOf(scanPath(join(folder, 'messy/norwegian_data.csv')));
    const lost = found.warnings.filter(({ code }) => code === 'lost_characters');
    expect(lost.map(({ column, count }) => [column, count])).toEqual([
      ['station_name', 367],
      ['comment', 280],
    ]);
  });

  it('keeps codes with leading zeros as text', () => {
    const found = inspectionOf(scanPath(join(folder, 'reference/bsee_2020_03_20_eAPD.csv')));
    expect(found.columns.find(({ name }) => name === 'Company Number')?.type).toBe('string');
  });

  it.each(tables.map(({ file }) => file))(
    'detects the footer of %s, and none in files without one',
    (file) => {
      const scan = scanPath(join(folder, file));
      expect(scan.footer === null).toBe(footerRowsByFile[file] === undefined);
    },
  );

  it.each(tables.map((fact) => [fact.file, fact] as const))(
    '%s: sum and missing values of a numeric column, row by row as sent',
    (file, { header_line, null_words, facts: known }) => {
      const { num, num_sum, num_nulls, num_not_numeric } = known;
      if (header_line === null || !num || !num_sum || num_not_numeric !== 0) return;
      const nulls = nullsOf({ nulls: null_words });
      const { layout, columns, notation, rows } = scanPath(
        join(folder, file),
        { footerRows: footerRowsByFile[file] ?? 0 },
        [...null_words],
      );
      const index = layout.columns.findIndex(({ name }) => name === num);
      const facts = columns[index];
      if (!facts) throw new Error(`no column ${num}`);
      const { style } = columnType(facts, notation);
      const convert = converter({ kind: 'number', style }, nulls);
      const source = openSource(join(folder, file), file);
      try {
        const reader = new RowReader(source, layout, {
          byte: layout.dataStart,
          line: layout.dataLine,
        });
        let sum = 0;
        let missing = 0;
        for (let row = 0; row < rows; row++) {
          const value = convert(reader.next()?.texts()[index] ?? '', notesFor());
          if (value === null) missing++;
          else sum += Number(value);
        }
        expect(missing).toBe(num_nulls);
        expect(Math.abs(sum - Number(num_sum))).toBeLessThanOrEqual(Math.abs(Number(num_sum)) * 1e-9);
      } finally {
        source.close();
      }
    },
  );

  it.each([
    ['messy/spanish_chars.csv', 116],
    ['messy/excel_pasting.csv', 22],
  ])('excludes the footer of %s, from line %i to the end', (file, line) => {
    const found = inspectionOf(scanPath(join(folder, file)));
    expect(found.warnings).toContainEqual(expect.objectContaining({ code: 'footer_rows', line }));
  });
});
