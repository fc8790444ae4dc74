import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  isQuotedTable,
  isOneColumn,
  looksDelimited,
} from '../../../../../src/main/core/tables/conversion/detect.ts';
import { recognize, isJsonLines } from '../../../../../src/main/core/tables/reading/recognize.ts';
import { detectEncoding, textStart } from '../../../../../src/main/core/tables/reading/source.ts';
import { readFrom } from '../../../../../src/main/core/tables/reading/layout.ts';
import { adapters } from '../../../../../src/main/core/tables/sources/readers.ts';
import { gridTable } from '../../../../../src/main/core/tables/sources/grid.ts';
import { listingLayout, sampleLinesOf } from '../../../../../src/main/core/tables/sources/listing.ts';
import { lawRuns } from '../../../../support/sample.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';

/** Characters that patterns and `split` were given, and cells that were read. */
let work = 0;
beforeEach(() => {
  const { exec } = RegExp.prototype;
  const { split } = String.prototype;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    work += match ? match.index + match[0].length - from : this.sticky ? 1 : text.length - from;
    return match;
  });
  vi.spyOn(String.prototype, 'split').mockImplementation(function (this: string, ...given) {
    work += this.length;
    return split.apply(this, given);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A row whose cells count as work when they are read. */
const counted = <T>(cells: readonly T[]): readonly T[] =>
  new Proxy(cells, {
    get(target, name): unknown {
      work++;
      return Reflect.get(target, name);
    },
  });

/** Everything that examines the start of a text file. */
function detect(text: string): void {
  const bytes = Buffer.from(text);
  const start = textStart(bytes, detectEncoding(bytes, true));
  isJsonLines('file.csv', start);
  looksDelimited(start);
  isOneColumn(start);
  isQuotedTable('file.csv', bytes);
  for (const adapter of adapters) adapter.recognize(bytes, 'file.csv');
  const source = {
    bytes: bytes.length,
    path: '',
    fileName: 'file.csv',
    mtimeMs: 0,
    read: readFrom(bytes),
    placeOf: null,
    sample: () => bytes,
    touched: () => false,
    close: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
  try {
    recognize(source, {});
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function detectSheet(lines: readonly string[]): void {
  const rows = lines.map((line, at) => ({
    place: at + 1,
    cells: counted(
      line
        .split(',')
        .map((text) =>
          text.trim() === ''
            ? null
            : ({ text, kind: Number.isNaN(Number(text)) ? 'text' : 'number' } as const),
        ),
    ),
  }));
  work = 0;
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== null));
  gridTable({ name: 'A', isHidden: false }, filled, null, {});
}

const workOf = (run: () => void): number => {
  work = 0;
  run();
  return work;
};

const line = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\t',
    '   ',
    '#',
    '# note',
    '#\t',
    '-- note',
    '-----',
    '---- ----',
    '"',
    '""',
    '"a',
    "'",
    '[',
    '{',
    '<',
    '~',
    '&&',
  ),
  fc.constantFrom(
    'Depth,ROP',
    'm,ft/h',
    '[m]  (ft/h)',
    'MD  Inc  Azi',
    'Well: A-1',
    'page 1 of 2',
    '1,2',
    '1.5  2.5',
    '12',
    'a b c',
  ),
  fc.string({ maxLength: 30 }),
  fc
    .array(
      fc.constantFrom('1', '2.5', '-999.25', 'ft', 'x', '', '"', ' ', '#', ',', ';', '\t', '|', '(', ')'),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
);
const emptyLine = fc.constantFrom('', ' ', '\t', '#', '# note', '-----', '""');
const lines = fc.oneof(
  fc.array(line, { minLength: 1, maxLength: 12 }),
  fc.array(emptyLine, { minLength: 1, maxLength: 12 }),
);
/** Work of rows that are examined whatever the length of the file, such as the first 50 of a sheet. */
const constant = 20_000;

describe('detecting how a file is read', () => {
  it.each([
    ['text', (given: readonly string[]) => detect(given.join('\n'))],
    ['a sheet', detectSheet],
    ['a listing', (given: readonly string[]) => void listingLayout(sampleLinesOf(given))],
  ])('costs at most twice as much for twice as many lines: %s', (_what, run) => {
    fc.assert(
      fc.property(lines, (block) => {
        const twenty = Array.from({ length: 20 }, () => block).flat();
        const small = workOf(() => run(twenty));
        const large = workOf(() => run([...twenty, ...twenty]));
        expect(large).toBeLessThanOrEqual(2 * small + constant);
      }),
      { numRuns: lawRuns(40) },
    );
  });

  it.each([
    ['text', (text: string) => detect(text)],
    ['a listing', (text: string) => void listingLayout(sampleLinesOf(text.split('\n')))],
  ])('costs at most twice as much for a line of twice the length: %s', (_what, run) => {
    fc.assert(
      fc.property(line, (part) => {
        const small = workOf(() => run(`${part.repeat(100)}\na,b\n1,2\n`));
        const large = workOf(() => run(`${part.repeat(200)}\na,b\n1,2\n`));
        expect(large).toBeLessThanOrEqual(2 * small + constant);
      }),
      { numRuns: lawRuns(40) },
    );
  });

  it.each([
    ['blank lines', '\n'],
    ['remarks and blank lines', '# note\n\n'],
    ['tabs', '\t\n'],
  ])('reads a table below 60 %s', (_what, part) => {
    const text = `${part.repeat(60)}a,b\n${'1,2\n'.repeat(200)}`;
    expect(workOf(() => detect(text))).toBeLessThan(100 * text.length);
  });
});
