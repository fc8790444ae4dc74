import { expect, it } from 'vitest';
import { likelyNulls, scanWarnings } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { fileWith, scanText } from '../../../features/upload/support/files.ts';
import { readingWith, inProcessThread } from '../../../features/upload/support/uploads.ts';
import { sourceAt } from '../../../../../src/main/core/files/files.ts';
import { nullsOf } from '../../../../../src/shared/upload/null-tokens.ts';

/** The null values that a file proves. */
async function nullsIn(text: string, nulls: readonly string[] = []): Promise<string[]> {
  const { scans } = readingWith(inProcessThread);
  const choices = { nulls: nullsOf({ nulls }), distinct: [] };
  const { scan } = await scans.read(sourceAt(await fileWith(text)), {}, choices, undefined);
  return likelyNulls(scan.columns, scan.notation);
}

it.each([
  ['-999 beside gamma ray and density', 'GR,RHOB\n50,2.3\n-999,2.4\n61,-999\n', ['-999']],
  ['-999.25 with all its notations', 'GR,RHOB\n50,2.3\n-999.25,2.4\n61,-999.250\n', ['-999.25']],
  ['-9999 and -999.25 in one file', 'GR,SP\n50,-40\n-9999,-41\n61,-999.25\n', ['-9999', '-999.25']],
  ['a column of nothing else', 'GR,CALI\n50,-999\n-999,-999\n61,-999\n', ['-999']],
  ['1e30 of Petrel in any notation', 'GR,RHOB\n50,2.3\n1.0E+30,2.4\n61,0.1000000E+31\n', ['1e+30']],
  ['-32768 of 16 bits', 'GR,RHOB\n50,2.3\n-32768,2.4\n61,-32768.0\n', ['-32768']],
  ['1e33 of RMS', 'GR,RHOB\n50,2.3\n1e33,2.4\n61,1.0E+33\n', ['1e+33']],
  [
    'the highest and lowest integers of 32 bits',
    'A,B\n5,7\n2147483647,-2147483648\n6,9\n',
    ['2147483647', '-2147483648'],
  ],
  ['2000000000 of xtgeo', 'A,B\n5,7\n2000000000,8\n6,9\n', ['2000000000']],
  ['decimal commas', 'GR;RHOB\n50,5;2,3\n-999,25;2,4\n61,5;2,5\n', ['-999.25']],
])('%s are null where no measured number is near', async (_what, text, found) => {
  expect(await nullsIn(text)).toEqual(found);
});

it.each([
  ['is near others', 'X\n-990\n-999\n-1010\n'],
  ['is near others in a second column', 'GR,NORTHING\n50,-700\n-999,-999\n61,12\n'],
  ['has lower numbers beside it', 'X\n5\n-999\n-20000\n'],
  ['is the lowest of 16 bits near others', 'X\n-30000\n-32768\n30000\n'],
  ['is near others, although 1e30', 'X\n1e30\n2e30\n5\n'],
  ['is near times, although 2000000000', 'X\n1999999000\n2000000000\n1999998000\n'],
  ['is the only number', 'X\n-999\n-999\n'],
  ['is none of the common ones', 'X\n5\n-998\n7\n'],
  ['is text among texts', 'X,Y\na,1\n-999,2\nb,3\n'],
])('a number that %s may be a measurement', async (_what, text) => {
  expect(await nullsIn(text)).toEqual([]);
});

it('null values that somebody selected are no longer proposed', async () => {
  expect(await nullsIn('GR\n50\n-999\n61\n', ['-999'])).toEqual([]);
});

it.each(['1.0E+30', '1e30', '0.1000000E+31', '-32768', '-32768.00', '2147483647'])(
  '%s among numbers has a warning, and is null when somebody selects it by value',
  async (token) => {
    const text = `n,x\n1,0.21\n2,${token}\n3,0.23\n`;
    const codesWith = async (nulls: string[]) =>
      scanWarnings(await scanText(text, {}, nulls)).map(({ code }) => code);
    expect(await codesWith([])).toEqual(['sentinel_values']);
    expect(await codesWith([String(Number(token))])).toEqual(['null_words']);
  },
);
