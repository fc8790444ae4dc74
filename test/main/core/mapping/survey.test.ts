import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf } from '../../../../src/main/core/mapping/existing.ts';
import { survey, type Survey } from '../../../../src/main/core/mapping/preparation.ts';
import { decideAll, requireRules } from '../../../../src/main/core/mapping/decisions.ts';
import { openTableFile } from '../../../../src/main/core/tables/reading/rows.ts';
import type { Mapping } from '../../../../src/shared/upload/upload.ts';
import { fileWith, scanPath } from '../../features/upload/support/files.ts';
import type { Bounds } from '../../../../src/main/core/mapping/upload-plan.ts';

/** What the first pass over a file of wells and times reports, and what a survey adds. */
async function both(
  text: string,
  given: Partial<Mapping> = {},
  [type, index]: readonly ['time', 'timestamp'] | readonly ['depth', 'measured_depth'] = [
    'time',
    'timestamp',
  ],
): Promise<{ bounds: Bounds | null; exact: Survey }> {
  const path = await fileWith(text);
  const mapping: Mapping = { columns: {}, constants: {}, rest: 'data', ...given };
  const scan = scanPath(path, {}, mapping.nulls ?? []);
  const address = { provider: 'demo', dataset: 'time' };
  const { rules } = requireRules(decideAll(scan, mapping, { address, type }));
  using source = openTableFile({ path, fileName: 'file.csv' }, scan.layout);
  const preparation = { fileName: 'file.csv', layout: scan.layout, rules, rows: scan.rows };
  const exact = survey(source, preparation, { scope: ['asset_id'], index: [index] });
  return { bounds: boundsOf(rules, scan.columns, type), exact };
}

const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  ['asset_id,timestamp,version,a', ...rows.map((cells) => cells.join(','))].join('\n');
const time = 1_700_000_000_000;

describe('the location of a file’s rows', () => {
  it('follows from the first pass: consecutive wells, and a time range', async () => {
    const { bounds, exact } = await both(csv([5003, 5001, 5001].map((well, n) => [well, time + n, 1, 2])));
    expect(bounds).toEqual({ assets: [5001, 5002, 5003], range: { min: time, max: time + 2 } });
    expect(exact).toEqual({ assets: [5003, 5001], range: { min: time, max: time + 2 } });
  });

  it('includes a constant for the file’s wells, and for blank cells among them', async () => {
    const rows = [time, time + 7].map((at) => `${at},1,2`);
    const version = { version: 1 };
    const without = `timestamp,version,a\n${rows.join('\n')}`;
    const constants = { constants: { asset_id: 7 } };
    expect((await both(without, constants)).bounds?.assets).toEqual([7]);
    const blank = csv([
      [5, time, 1, 2],
      ['', time, 1, 2],
    ]);
    expect((await both(blank, constants)).bounds?.assets).toEqual([5, 6, 7]);
    expect((await both(blank, { constants: version })).bounds).toBeNull();
  });

  it('is that of the decimal sign: 1.250 is above a thousand where another column has commas', async () => {
    const text = 'asset_id;measured_depth;log_identifier;a\n5;1.250;x;0,5\n5;1.900;x;1,5\n';
    const { bounds, exact } = await both(text, {}, ['depth', 'measured_depth']);
    expect(exact).toEqual({ assets: [5], range: { min: 1250, max: 1900 } });
    expect(bounds).toEqual(exact);
  });

  it('needs a survey where wells are far apart, numbers are null, or times are text', async () => {
    const far = csv([
      [1, time, 1, 2],
      [5000, time, 1, 2],
    ]);
    expect((await both(far)).bounds).toBeNull();
    const near = csv([
      [1, time, 1, 2],
      [2, time, 1, 2],
    ]);
    expect((await both(near, { nulls: ['', '-999.25'] })).bounds).toBeNull();
    // Records have whole milliseconds.
    expect((await both(csv([[1, `${time}.4`, 1, 2]]))).bounds).toBeNull();
    const texts = csv([[1, '2024-01-01T00:00:00Z', 1, 2]]);
    expect((await both(texts)).bounds).toBeNull();
  });

  it('covers everything that a survey finds, for any file content', async () => {
    const well = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) },
      fc.constantFrom('', 'x', 1.5),
    );
    const at = fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -5, max: 90 }).map((n) => time + n) },
      fc.constantFrom('', 'NULL', '1.7e12', 0),
    );
    const rows = fc.array(fc.tuple(well, at, fc.constant(1), fc.integer()), { minLength: 1, maxLength: 12 });
    let known = 0;
    await fc.assert(
      fc.asyncProperty(rows, fc.option(fc.integer({ min: 1, max: 50 })), async (cells, constant) => {
        const constants = constant === null ? {} : { constants: { asset_id: constant } };
        const facts = await both(csv(cells), constants).catch(() => null);
        // A file without a valid row has no location.
        if (!facts?.bounds || (facts.exact.assets === null && facts.exact.range === null)) return;
        known++;
        const { bounds, exact } = facts;
        expect(exact.assets).not.toBeNull();
        for (const asset of exact.assets ?? []) expect(bounds.assets).toContain(asset);
        expect(bounds.range?.min).toBeLessThanOrEqual(exact.range?.min ?? -Infinity);
        expect(bounds.range?.max).toBeGreaterThanOrEqual(exact.range?.max ?? Infinity);
      }),
      { numRuns: 150 },
    );
    expect(known).toBeGreaterThan(20);
  });
});
