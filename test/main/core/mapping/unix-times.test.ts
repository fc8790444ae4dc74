import { describe, expect, it } from 'vitest';
import { implausibleTimes } from '../../../../src/main/core/mapping/decide.ts';
import { oddUnixTimes, unixUnit } from '../../../../src/main/core/mapping/times.ts';
import { scanText } from '../../features/upload/support/files.ts';

async function factsOf(...cells: readonly (string | number)[]) {
  const { columns } = await scanText(`n,timestamp\n${cells.map((cell, at) => `${at},${cell}\n`).join('')}`);
  const [, facts] = columns;
  if (!facts) throw new Error('there is no column');
  return facts;
}

describe('numbers as times since 1970', () => {
  it.each([
    ['seconds', [1_700_000_000, 1_700_000_001], 'unix_s'],
    ['seconds with decimals', ['1700000000.25', '1700000000.5'], 'unix_s'],
    ['seconds of 1999', [930_000_000, 930_000_060], 'unix_s'],
    ['milliseconds', [1_700_000_000_000, 1_700_000_001_000], 'unix_ms'],
    ['milliseconds of 1985', [480_000_000_000, 490_000_000_000], 'unix_ms'],
    ['microseconds', ['1672531200000000', '1672531201000000'], 'unix_us'],
    ['nanoseconds', ['1672531200000000000', '1672531201000000000'], 'unix_ns'],
    ['seconds and milliseconds', [1_700_000_000, 1_700_000_001_000], 'mixed'],
    ['a count of seconds', [0, 60, 120], 'unknown'],
    ['the year 2611', [20_230_101_120_000], 'unknown'],
    ['milliseconds with one of 2099', [1_700_000_000_000, 4_070_908_800_000], 'unix_ms'],
  ])('look like %s', async (_what, cells, unit) => {
    expect(unixUnit(await factsOf(...cells))).toBe(unit);
  });

  it('that are no plausible time have a warning with their line', async () => {
    const facts = await factsOf(1_700_000_000_000, 4_070_908_800_000, 0);
    expect(oddUnixTimes('timestamp', 'unix_ms', facts)).toMatchObject([
      { code: 'implausible_times', line: 3, cell: '4070908800000' },
    ]);
    const mixed = await factsOf(1_700_000_000_000, 1_700_000_000, 1_700_000_001);
    expect(oddUnixTimes('timestamp', 'unix_ms', mixed)).toMatchObject([
      { code: 'implausible_times', line: 3, count: 2, cell: '1700000000' },
    ]);
  });
});

it('texts before 1950 or after next year have a warning with their line', async () => {
  const facts = await factsOf('2024-01-01 10:00', '0024-01-01 10:00', '2204-01-01 10:00', '2024-01-02 10:00');
  expect(implausibleTimes('timestamp', facts)).toMatchObject([
    { line: 3, cell: '0024-01-01 10:00' },
    { line: 4, cell: '2204-01-01 10:00' },
  ]);
  expect(implausibleTimes('timestamp', await factsOf('2024-01-01', '2024-01-02'))).toEqual([]);
});

it.each([
  [['20230101', '20230131'], 'yyyyMMdd'],
  [['202301011200', '202312312359'], 'yyyyMMddHHmm'],
  [['20230101120000', '20230101120010'], 'yyyyMMddHHmmss'],
  [['20230101120000123', '20230101120010456'], 'yyyyMMddHHmmssSSS'],
  [['20230101', '20231301'], null],
  [['20230101', '202301011200'], null],
  [['1700000000000'], null],
])('digits such as %j are compact times: %s', async (cells, pattern) => {
  expect((await factsOf(...cells)).compactTime).toBe(pattern);
});
