import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { spanOf } from '../../../../src/main/core/mapping/decide.ts';
import { timeChoices } from '../../../../src/main/core/mapping/validation.ts';
import { scanText } from '../../features/upload/support/files.ts';

const formats = (...cells: string[]) => timeChoices(cells).map(({ format }) => format);

describe('the earliest and the latest time of a column', () => {
  const span = async (format: string, ...cells: string[]) => {
    const { columns } = await scanText(`a;when\n${cells.map((cell) => `1;${cell}\n`).join('')}`);
    const facts = columns[1];
    return facts && spanOf(facts, { kind: 'time', format, zone: 'UTC', as: 'ms' });
  };
  const from = String(Date.UTC(2026, 0, 9, 5));
  const to = String(Date.UTC(2026, 0, 10, 6));

  it.each([
    ['iso', ['2026-01-10T06:00:00Z', '2026-01-09 05:00:00Z']],
    ['iso', ['2026-01-10 07:00:00+01', '2026-01-09 04:30:00-00:30']],
    ['iso', ['2026-01-09 05:30', '2026-01-09 05:00:00', '2026-01-10 06:00:00.000', '2026-01-10']],
    ['iso', ['2026-01-09T05:00:00', '2026-01-09T06:00:00.5', '2026-01-09T07:00:00.5', '2026-010T06:00']],
    ['dd.MM.yyyy HH:mm', ['10.01.2026 06:00', '09.01.2026 05:00', '10.01.2026 05:59']],
  ])('in the format %s: %j', async (format, cells) => {
    expect(await span(format, ...cells)).toEqual({ from, to });
  });

  it('is unknown where day and month can be exchanged, and where a text is no time', async () => {
    expect(await span('d.M.yyyy', '1.2.2026', '2.1.2026')).toBeNull();
    expect(await span('iso', '2026-01-09T05:00:00Z', '2026-13-10T06:00:00Z')).toBeNull();
    expect(await span('iso', '2026-01-09T05:00:00Z', '2026-01-10T06:00:00')).toBeNull();
  });
});

describe('formats that fit the cells of a column', () => {
  it.each([
    [['03/04/2026'], ['dd/MM/yyyy', 'MM/dd/yyyy']],
    [
      ['3/4/2026 1:05', '11/12/2026 13:05'],
      ['d/M/yyyy H:mm', 'M/d/yyyy H:mm'],
    ],
    [['03/04/2026', '13/04/2026'], ['dd/MM/yyyy']],
    [['03.04.26 10:00:00'], ['dd.MM.yy HH:mm:ss', 'MM.dd.yy HH:mm:ss', 'yy.MM.dd HH:mm:ss']],
    [
      ['1/2/2026 3:04:05 PM', '1/2/2026 12:04:05 am'],
      ['d/M/yyyy h:mm:ss a', 'M/d/yyyy h:mm:ss a'],
    ],
    [['2026/03/04 10:00'], ['yyyy/MM/dd HH:mm']],
    [['2026-03-04 10:00', '2026-03-05'], []],
    [
      ['45292', '45292.5'],
      ['excel_1900', 'excel_1904'],
    ],
    [['1767225600'], ['unix_s']],
    [['1767225600000'], ['unix_ms']],
    [['03/04/2026', 'soon'], []],
    [['31/31/2026'], []],
    [[], []],
  ])('%j: %j', (cells, expected) => {
    expect(formats(...cells)).toEqual(expected);
  });

  it('show the first cell that they read as different times', () => {
    const [first, second] = timeChoices(['05/05/2026 10:00', '03/04/2026 10:00']);
    expect(first).toMatchObject({ cell: '03/04/2026 10:00', local: Date.UTC(2026, 3, 3, 10) });
    expect(second).toMatchObject({ cell: '03/04/2026 10:00', local: Date.UTC(2026, 2, 4, 10) });
  });

  it('include the one that the cells were written in, with the intended times', () => {
    const written = ['dd/MM/yyyy HH:mm:ss', 'M/d/yyyy h:mm a', "dd.MM.yy'T'HH:mm", 'yyyy.MM.dd HH:mm'];
    const seconds = fc.integer({ min: Date.UTC(2001, 0) / 1000, max: Date.UTC(2049, 0) / 1000 });
    fc.assert(
      fc.property(
        fc.array(seconds, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...written),
        (at, how) => {
          const times = at.map((second) => DateTime.fromSeconds(second, { zone: 'utc' }));
          const cells = times.map((time) => time.toFormat(how, { locale: 'en-US' }));
          const intended = cells.map((cell) =>
            DateTime.fromFormat(cell, how, { zone: 'utc', locale: 'en-US' }).toMillis(),
          );
          const right = timeChoices(cells).filter(
            ({ cell, local }) => local === intended[cells.indexOf(cell)],
          );
          expect(right.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});
