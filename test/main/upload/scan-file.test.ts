import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CsvCall, CsvRequest } from '../../../src/main/upload/thread/csv-calls.ts';
import { openCsvThread } from '../../../src/main/upload/thread/csv-client.ts';
import type { CsvThread } from '../../../src/main/upload/thread/csv-client.ts';
import { scan } from '../../../src/main/upload/reading/scan.ts';
import { scanFile } from '../../../src/main/upload/scan-file.ts';
import { fileWith } from './support/files.ts';
import { inProcessThread } from './support/uploads.ts';

/** Counts what threads were asked. */
function watched(asked: CsvCall[]): () => CsvThread {
  return () => {
    const thread = inProcessThread();
    return {
      ...thread,
      call<C extends CsvCall>(call: C, request: CsvRequest<C>) {
        asked.push(call);
        return thread.call(call, request);
      },
    };
  };
}

const cell = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^-?\d{1,5}(\.\d{1,3})?$/) },
  fc.constantFrom(
    '',
    'NULL',
    '-999.25',
    '-9999',
    'x',
    '007',
    '2021-03-04 05:06:07',
    '1,5',
    '3.3101E+13',
    'true',
  ),
  fc.constantFrom('"a,b"', '"two\nlines"', '"a ""b"""', 'od"d', '"open', '"a"b', '#', ' 4 '),
);
const line = fc.oneof(
  { weight: 9, arbitrary: fc.array(cell, { minLength: 3, maxLength: 3 }).map((cells) => cells.join(',')) },
  fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(',')),
  fc.constantFrom('', '# a note', 'é,1,2'),
);
const footer = fc.constantFrom('', 'Sum=1,Sum=2,', ',,\nSource: a book\n', 'Total: 5', 'see below,,');

const requestFor = (path: string) =>
  ({ path, fileName: 'f.csv', reading: {}, nulls: ['x'], distinct: ['b'] }) as const;

describe('a file that is read in parts', () => {
  it('tells what it tells as a whole', async () => {
    let inParts = 0;
    const whole = fc.array(line, { minLength: 20, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(whole, footer, fc.constantFrom('\n', '\r\n'), async (lines, foot, end) => {
        const request = requestFor(await fileWith(['a,b,c', '1,2,3', '4,5,6', ...lines, foot].join(end)));
        const asked: CsvCall[] = [];
        const open = watched(asked);
        const found = await scanFile(request, open(), open, 100).catch(String);
        let expected: unknown;
        try {
          expected = scan(request);
        } catch (error) {
          expected = String(error);
        }
        expect(found).toEqual(expected);
        if (asked.includes('scanPart') && !asked.includes('scan')) inParts++;
      }),
      { numRuns: 40 },
    );
    expect(inParts).toBeGreaterThan(0);
  });

  it('is read by threads of their own', async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `${n},${n % 7}.5,x\n`);
    const request = requestFor(await fileWith(`a,b,c\n${lines.join('')}`));
    const thread = openCsvThread();
    try {
      expect(await scanFile(request, thread, openCsvThread, 1000)).toEqual(scan(request));
    } finally {
      await thread.close();
    }
  });

  it('is read as a whole where a part would end within quotes', async () => {
    const cellOfLines = `"${'word\n'.repeat(100)}"`;
    const request = requestFor(await fileWith(`a,b,c\n${`1,${cellOfLines},3\n`.repeat(5)}`));
    const asked: CsvCall[] = [];
    const open = watched(asked);
    expect(await scanFile(request, open(), open, 600)).toMatchObject({ rows: 5, findings: {} });
    expect(asked).toContain('scan');
  });
});
