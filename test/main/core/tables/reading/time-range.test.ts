import { describe, expect, it } from 'vitest';
import { implausibleTimes } from '../../../../../src/main/core/mapping/decide.ts';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { scanText } from '../../../features/upload/support/files.ts';

const times = async (...texts: string[]) => {
  const scan = await scanText(`a;when\n${texts.map((text) => `1;${text}\n`).join('')}`);
  const facts = scan.columns[1];
  if (!facts) throw new Error('it has two columns');
  return { column: inspectionOf(scan).columns[1], warnings: implausibleTimes('when', facts) };
};

describe('the range of times with a zone', () => {
  it.each([
    ['an offset of hours, as of PostgreSQL', ['2024-01-02 10:00:00+01', '2024-01-01 10:00:00+01']],
    ['a blank before the zone', ['2024-01-02 10:00:00 +01:00', '2024-01-01 10:00:00 +01:00']],
    [
      'a T or a blank before the time of day',
      ['2024-01-01 12:00:00Z', '2024-01-01T10:00:00Z', '2024-01-01 11:00:00Z'],
    ],
    ['several notations', ['2024-01-02 10:00:00,5 Z', '2024-01-02T12:00:00+03', '2024-01-02T09:30:00+00:00']],
  ])('is that of instants: %s', async (_notation, texts) => {
    const { column, warnings } = await times(...texts);
    expect(column).toMatchObject({ type: 'time', min: texts[1], max: texts[0] });
    expect(warnings).toEqual([]);
  });

  it('is unknown, and not implausible, where the first or last text is no time', async () => {
    const { column, warnings } = await times('2024-01-02T10:00:00Z', '2024-13-02T10:00:00Z');
    expect(column).toMatchObject({ type: 'time', min: null, max: null });
    expect(warnings).toEqual([]);
  });

  it('leaves out texts that are no times where all are compared', async () => {
    const { column } = await times('2024-01-02T10:00Z', '2024-13-02T10:00:00Z', '2024-01-01T10:00:00Z');
    expect(column).toMatchObject({ min: '2024-01-01T10:00:00Z', max: '2024-01-02T10:00Z' });
  });
});
