import { describe, expect, it } from 'vitest';
import { survey, type Survey } from '../../../../src/main/core/mapping/preparation.ts';
import { decideAll, requireRules } from '../../../../src/main/core/mapping/decisions.ts';
import { openTableFile } from '../../../../src/main/core/tables/reading/rows.ts';
import type { Mapping } from '../../../../src/shared/upload/upload.ts';
import { fileWith, scanPath } from '../../features/upload/support/files.ts';

/** Where the rows of a file of wells and times are in its dataset. */
async function surveyed(
  text: string,
  given: Partial<Mapping> = {},
  [type, index]: readonly ['time', 'timestamp'] | readonly ['depth', 'measured_depth'] = [
    'time',
    'timestamp',
  ],
): Promise<Survey> {
  const path = await fileWith(text);
  const mapping: Mapping = { columns: {}, constants: {}, rest: 'data', ...given };
  const scan = scanPath(path, {}, mapping.nulls ?? []);
  const address = { provider: 'demo', dataset: 'time' };
  const { rules } = requireRules(decideAll(scan, mapping, { address, type }));
  using source = openTableFile({ path, fileName: 'file.csv' }, scan.layout);
  const preparation = { fileName: 'file.csv', layout: scan.layout, rules, rows: scan.rows };
  return survey(source, preparation, { scope: ['asset_id'], index: [index] });
}

const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  ['asset_id,timestamp,version,a', ...rows.map((cells) => cells.join(','))].join('\n');
const time = 1_700_000_000_000;

describe('the location of a file’s rows', () => {
  it('is that of its wells and times', async () => {
    const found = await surveyed(csv([5003, 5001, 5001].map((well, n) => [well, time + n, 1, 2])));
    expect(found).toEqual({ assets: [5003, 5001], range: { min: time, max: time + 2 } });
    const texts = await surveyed(csv([[1, '2024-01-01T00:00:00Z', 1, 2]]));
    expect(texts.range).toEqual({ min: 1_704_067_200_000, max: 1_704_067_200_000 });
  });

  it('includes a constant for the file’s wells, and for blank cells among them', async () => {
    const constants = { constants: { asset_id: 7 } };
    const without = `timestamp,version,a\n${time},1,2\n${time + 7},1,2`;
    expect((await surveyed(without, constants)).assets).toEqual([7]);
    const blank = csv([
      [5, time, 1, 2],
      ['', time, 1, 2],
    ]);
    expect((await surveyed(blank, constants)).assets).toEqual([5, 7]);
    expect((await surveyed(blank)).assets).toBeNull();
  });

  it('is that of the decimal sign: 1.250 is above a thousand where another column has commas', async () => {
    const text = 'asset_id;measured_depth;log_identifier;a\n5;1.250;x;0,5\n5;1.900;x;1,5\n';
    const found = await surveyed(text, {}, ['depth', 'measured_depth']);
    expect(found).toEqual({ assets: [5], range: { min: 1250, max: 1900 } });
  });
});
