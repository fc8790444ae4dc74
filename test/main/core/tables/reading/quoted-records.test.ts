import { afterEach, describe, expect, it, vi } from 'vitest';
import { readFrom } from '../../../../../src/main/core/tables/reading/layout.ts';
import { RecordReader, UnitWindow } from '../../../../../src/main/core/tables/reading/records.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a cell with misplaced quotes', () => {
  it.each([10, 1000, 10_000])('is searched for the end of its line once: %i quotes', (quotes) => {
    const search = vi.spyOn(UnitWindow.prototype, 'breakFrom');
    const options = {
      fileName: 'a.csv',
      start: 0,
      line: 1,
      delimiter: ',',
      crEnds: false,
      encoding: { name: 'UTF-8', bom: 0 },
      quotes: true,
    } as const;
    const reader = new RecordReader(readFrom(Buffer.from(`1,${'"a '.repeat(quotes)}x\n2,3\n`)), options);
    const damages = [reader.next(), reader.next(), reader.next()].map((record) => record?.damage);
    expect(damages).toEqual(['bad_quotes', null, undefined]);
    expect(search.mock.calls.length).toBeLessThan(15);
  });
});
