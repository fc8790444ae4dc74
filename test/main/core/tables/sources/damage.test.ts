import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import { adapters } from '../../../../../src/main/core/tables/sources/readers.ts';
import { sampleOf } from '../../../../support/sample.ts';
import { dlisFile, numbersChannel } from '../../../features/upload/support/dlis-files.ts';
import { folder } from '../../../features/upload/support/facts.ts';
import { data, format, lisFile } from '../../../features/upload/support/lis-files.ts';
import { readContent } from '../../../features/upload/support/sources.ts';
import { sheetRow, workbook } from '../../../features/upload/support/workbooks.ts';

/** A small file of each text format and of .xlsx, so that the test runs without the real files. */
const small: Readonly<Record<string, Uint8Array>> = {
  'small.las': Buffer.from(
    '~V\n VERS. 2.0 :\n WRAP. NO :\n~W\n NULL. -999.25 :\n~C\n DEPT.M :\n GR.GAPI :\n~A\n1 2\n2 3\n',
  ),
  'small.xml': Buffer.from(
    '<logs><log><name>a</name><logData><mnemonicList>A,B</mnemonicList><data>1,2</data></logData></log></logs>',
  ),
  'small.json': Buffer.from('[{"a":1,"b":"x"},{"a":2}]'),
  'small.wits': Buffer.from('&&\r\n01081.0\r\n!!\r\n'),
  'small.txt': Buffer.from('  MD   INC\n 1.0   2.0\n 2.0   3.0\n'),
  'small.dlis': dlisFile([
    { frames: [{ name: 'F', channels: [numbersChannel('A', [1, 2]), numbersChannel('B', [3, 4])] }] },
  ]),
  'small.lis': lisFile([
    [format([{ name: 'A', code: 79, size: 2 }]), data(Buffer.from([0, 1])), data(Buffer.from([0, 2]))],
  ]),
  'small.xlsx': workbook({ sheets: { A: sheetRow(1, ['Name', 'Depth']) + sheetRow(2, ['a', 1]) } }),
};
const formats = join(folder, 'formats');
const maxBytes = 300_000;
const real = existsSync(formats)
  ? readdirSync(formats, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  : [];
const files: readonly (readonly [string, () => Uint8Array])[] = [
  ...Object.entries(small).map(([name, content]) => [name, () => content] as const),
  ...real.map((name) => [name, () => readFileSync(join(formats, name))] as const),
];

/** Pseudorandom numbers, the same in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** Truncated copies of a file, and copies with changed bytes. */
function damaged(content: Uint8Array): Uint8Array[] {
  const random = numbers(content.length);
  const next = (below: number): number => (random.next().value ?? 0) % below;
  const cut = [0.05, 0.5, 0.95].map((share) => content.subarray(0, Math.floor(content.length * share)));
  const changed = Array.from({ length: 6 }, () => {
    const copy = Uint8Array.from(content);
    for (let at = 0; at < 8; at++) copy[next(copy.length)] = next(256);
    return copy;
  });
  return [...cut, ...changed];
}

describe('a damaged file', () => {
  it.each(files)('%s is read, or rejected with a reason', async (name, content) => {
    const bytes = content();
    if (bytes.length > maxBytes) return;
    const adapter = adapters.find((each) => each.recognize(bytes.subarray(0, 1 << 16), basename(name)));
    if (!adapter) throw new Error('it is recognized');
    // All formats have small files, too.
    for (const copy of sampleOf(damaged(bytes), bytes.length > 20_000 ? 3 : 9)) {
      const started = performance.now();
      try {
        await readContent(adapter, copy, basename(name));
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        expect(error).toMatchObject({ code: 'file_unsuitable' });
      }
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  });
});
