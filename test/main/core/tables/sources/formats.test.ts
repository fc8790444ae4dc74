import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { adapters } from '../../../../../src/main/core/tables/sources/readers.ts';
import { folder } from '../../../features/upload/support/facts.ts';
import { readPath, type ReadSource } from '../../../features/upload/support/sources.ts';

const value = z.union([z.string(), z.number()]);
const tableFact = z.object({
  name: z.string(),
  rows: z.number(),
  columns: z.number(),
  columnNames: z.array(z.string()),
  units: z.array(z.string()).nullable(),
  index: z
    .object({ name: z.string(), unit: z.string().nullable(), kind: z.string(), first: value, last: value })
    .nullable(),
  nulls: z.number(),
  errors: z.number().optional(),
  sums: z.record(z.string(), z.number()),
  dates: z
    .record(z.string(), z.object({ first: z.string(), last: z.string(), nulls: z.number() }))
    .optional(),
  state: z.string().optional(),
  headerRow: z.number().nullish(),
  unitRow: z.number().nullish(),
  headerLine: z.number().nullish(),
  unitLine: z.number().nullish(),
  certain: z.boolean(),
});
const fact = z.object({ file: z.string(), format: z.string(), tables: z.array(tableFact) });

const list = join(folder, 'FACTS.json');
const isThere = existsSync(list);
const facts = isThere
  ? z
      .array(z.unknown())
      .parse(JSON.parse(readFileSync(list, 'utf8')))
      .flatMap((entry) => {
        const parsed = fact.safeParse(entry);
        return parsed.success ? [parsed.data] : [];
      })
  : [];

/**
 * Errors in FACTS.json: the line of 15/9-22 was cut by column edges that its operator's long name had shifted, so
 * it has 392 for the depth 3923.0, and the remaining digits in the discovery.
 */
const correctSums: Readonly<Record<string, number>> = { 'made_wells_block_15_9_fixed_width.txt TD': 109_745 };
const correctNulls: Readonly<Record<string, number>> = { 'made_wells_block_15_9_fixed_width.txt': 6 };

/** FACTS.json has only the last row of a header. The groups above it are part of the names, by sheet. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Casing: ['Wellbore', 'Casing', 'Casing', '', 'Hole', '', 'LOT', '', 'Updated'],
};

/** An index value of the facts as text: numbers are compared as numbers. */
const same = (text: string | null | undefined, wanted: string | number): boolean =>
  typeof wanted === 'number' ? Number(text) === wanted : text === wanted;

function checkTable(found: ReadSource['tables'][number], wanted: z.infer<typeof tableFact>): void {
  const { columns, found: rows } = found;
  expect(rows.length).toBe(wanted.rows);
  expect(found.rows === null || found.rows === wanted.rows).toBe(true);
  expect(columns.length).toBe(wanted.columns);
  expect(rows.filter(({ cells }) => cells.length !== columns.length)).toEqual([]);
  expect(columns.slice(0, wanted.columnNames.length).map(({ name }) => name)).toEqual(
    wanted.columnNames.map((name, at) => `${groups[found.name]?.[at] ?? ''} ${name.trim()}`.trim()),
  );
  if (wanted.units)
    expect(columns.slice(0, wanted.units.length).map(({ unit }) => unit ?? '')).toEqual(wanted.units);
  expect(rows.reduce((sum, { cells }) => sum + cells.filter((cell) => cell === null).length, 0)).toBe(
    (correctNulls[found.name] ?? wanted.nulls) + (wanted.errors ?? 0),
  );
  const headerRow = wanted.headerRow ?? wanted.headerLine;
  if (typeof headerRow === 'number')
    expect([found.headerRow, found.unitRow]).toEqual([
      headerRow,
      wanted.unitRow ?? wanted.unitLine ?? undefined,
    ]);
  if (wanted.state === 'hidden') expect(found.isHidden).toBe(true);
  if (wanted.index) {
    const { first, last, ...index } = wanted.index;
    expect(found.index).toEqual(index);
    const at = columns.findIndex(({ name }) => name === index.name);
    expect([rows[0]?.cells[at], rows.at(-1)?.cells[at]]).toSatisfy(
      ([from, to]: (string | null | undefined)[]) => same(from, first) && same(to, last),
    );
  }
  const values = (name: string): string[] => {
    const at = /^#\d+$/.test(name) ? Number(name.slice(1)) - 1 : wanted.columnNames.indexOf(name);
    return rows.flatMap(({ cells }) => cells[at] ?? []);
  };
  for (const [name, given] of Object.entries(wanted.sums)) {
    const sum = correctSums[`${found.name} ${name}`] ?? given;
    const total = values(name).reduce((before, cell) => before + Number(cell), 0);
    expect(
      Math.abs(total - sum) <= Math.max(1, Math.abs(sum)) * 1e-9,
      `${name}: ${total} is not ${sum}`,
    ).toBe(true);
  }
  for (const [name, { first, last, nulls }] of Object.entries(wanted.dates ?? {})) {
    const dates = values(name);
    expect([dates[0], dates.at(-1), rows.length - dates.length]).toEqual([first, last, nulls]);
  }
}

describe.skipIf(!isThere)('files of industry formats (skipped without ../shared/data)', () => {
  it.each(facts.map((entry) => [entry.file, entry] as const))('%s', async (file, wanted) => {
    const path = join(folder, file);
    const start = readFileSync(path).subarray(0, 1 << 16);
    const adapter = adapters.find((candidate) => candidate.recognize(start, basename(path)));
    expect(adapter?.format).toBe(wanted.format);
    if (!adapter) return;
    const { tables } = await readPath(adapter, path);
    // The names of WITS0 records are not asserted; neither are columns that a reader adds.
    if (wanted.format === 'wits0') {
      expect(tables.map(({ found }) => found.length)).toEqual(wanted.tables.map(({ rows }) => rows));
      return;
    }
    // The facts have the titles of sections only.
    expect(tables.map(({ name }) => name.replace(/^Ascii: .*/, 'Ascii'))).toEqual(
      wanted.tables.map(({ name }) => name),
    );
    for (const [index, table] of wanted.tables.entries()) {
      const found = tables[index];
      if (found && table.certain) checkTable(found, table);
    }
  });
});
