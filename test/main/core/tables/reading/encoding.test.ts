import { describe, expect, it } from 'vitest';
import iconv from 'iconv-lite';
import {
  chosenEncoding,
  decoderOf,
  detectEncoding,
  encodeText,
} from '../../../../../src/main/core/tables/reading/source.ts';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { scanText } from '../../../features/upload/support/files.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8 by its byte order mark', Buffer.from('\uFEFFa,b'), { name: 'UTF-8', bom: 3 }],
    ['UTF-16LE by its byte order mark', Buffer.from('\uFEFFa,b', 'utf16le'), { name: 'UTF-16LE', bom: 2 }],
    ['UTF-16BE by its byte order mark', utf16be('\uFEFFa,b'), { name: 'UTF-16BE', bom: 2 }],
    ['UTF-16LE by its zero bytes', Buffer.from('a,b\n1,2\n', 'utf16le'), { name: 'UTF-16LE', bom: 0 }],
    ['UTF-16BE by its zero bytes', utf16be('a,b\n1,2\n'), { name: 'UTF-16BE', bom: 0 }],
    ['UTF-8 by its content', Buffer.from('é,ß,日\n'), { name: 'UTF-8', bom: 0 }],
  ])('is detected as %s', (_how, sample, found) => {
    expect(detectEncoding(sample, true)).toEqual(found);
  });

  const tables: Readonly<Record<string, readonly [header: string, ...rows: string[]]>> = {
    Big5: ['井名,深度,備註', '台灣一號井,1200.5,鑽井液漏失', '高雄二號井,1310.2,正常'],
    GB18030: ['井名,深度,备注', '大庆一号井,1200.5,钻井液漏失', '胜利二号井,1310.2,正常'],
    Shift_JIS: ['坑井名,深度,備考', '新潟第一号井,1200.5,泥水逸泥あり', '秋田第二号井,1310.2,正常'],
    'EUC-KR': ['시추공,심도,비고', '울산 일호정,1200.5,이수 손실', '동해 이호정,1310.2,정상'],
    'windows-1251': ['скважина,глубина,примечание', 'Самотлор-1,1200.5,поглощение', 'Уренгой-2,1310.2,норма'],
    'Windows-1252': ['brønn,dybde,merknad', 'Åsgard 1,1200.5,tapt sirkulasjon', 'Ærfugl 2,1310.2,normalt'],
  };
  it.each(Object.entries(tables))(
    'is detected as %s by letter frequency, even among many numbers',
    async (name, rows) => {
      const few = [rows[0], ...Array.from({ length: 2000 }, (_, n) => `x,${n},y`), rows[1]].join('\n');
      const many = [rows[0], ...Array.from({ length: 40 }, (_, n) => rows[1 + (n % 2)])].join('\n');
      for (const text of [few, many]) {
        const found = inspectionOf(await scanText(iconv.encode(`${text}\n`, name)));
        expect(found.encoding).toBe(name);
        expect(found.columns[0]?.name).toBe(rows[0]?.split(',')[0]);
        expect(found.warnings).toContainEqual(
          expect.objectContaining({ code: 'encoding_guessed', cell: name }),
        );
        expect(found.warnings.map(({ code }) => code)).not.toContain('bad_bytes');
      }
    },
  );

  it('is multibyte when rare words are adjacent', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `井${n % 7},${n}, 鑽井液 `);
    const found = inspectionOf(await scanText(iconv.encode(`井名,深度,備註\n${rows.join('\n')}\n`, 'Big5')));
    expect(found.encoding).toBe('Big5');
  });

  it('is Windows-1252 when letters are inconclusive, with alternatives to select', async () => {
    const found = inspectionOf(await scanText(Buffer.from('depth,temp [\xb0C]\n1,2\n', 'latin1')));
    expect(found.encoding).toBe('Windows-1252');
    const [guessed] = found.warnings.filter(({ code }) => code === 'encoding_guessed');
    expect(guessed?.choices).not.toContain('Windows-1252');
  });

  it('is detected late as well: Big5 after a megabyte of ASCII', async () => {
    const ascii = 'a,b\n' + 'plain,1\n'.repeat(150_000);
    const words = iconv.encode('台灣一號井鑽井液漏失,1\n高雄二號井正常,2\n'.repeat(20), 'Big5');
    const scan = await scanText(Buffer.concat([Buffer.from(ascii), words]));
    expect(scan.layout.encoding.name).toBe('Big5');
    expect(scan.findings).toEqual({});
    expect(scan.columns[0]?.maxText).toMatch(/^高雄/);
  });

  it('reports rows with bytes that are invalid in a multibyte encoding', async () => {
    const text = Buffer.concat([
      iconv.encode('井名,n\n台灣,1\n', 'Big5'),
      Buffer.from([0xff, 0x2c, 0x31, 0x0a]),
    ]);
    const scan = await scanText(text, { encoding: 'Big5' });
    expect(scan.findings.bad_bytes).toEqual({ count: 1, line: 3 });
  });

  it('ignores a character cut off at the end of the sample', () => {
    expect(detectEncoding(Buffer.from('a,日').subarray(0, 4), false).name).toBe('UTF-8');
    expect(detectEncoding(Buffer.from('a,日').subarray(0, 4), true).name).toBe('Windows-1252');
  });

  it('has the euro sign of Windows-1252 where Latin-1 has a control character', () => {
    const content = Buffer.from([0x80, 0x9f, 0xe9]);
    expect(decoderOf({ name: 'Windows-1252', bom: 0 })(content, 0, 3)).toBe('€Ÿé');
  });

  it('can be selected by name, for encodings that detection doesn’t cover', async () => {
    const scan = await scanText(iconv.encode('имя,n\nскважина,1\n', 'windows-1251'), {
      encoding: 'windows-1251',
    });
    const found = inspectionOf(scan);
    expect(found.columns[0]).toMatchObject({ name: 'имя', max: 'скважина' });
    expect(found.encoding).toBe('windows-1251');
  });

  it.each(['klingon', 'utf-7', 'base64', 'UTF-32'])('can’t be %s', (name) => {
    expect(() => chosenEncoding(name, bytes(0x61))).toThrow(/Unknown encoding|supported/);
  });

  it('is detected late: invalid UTF-8 after a megabyte of ASCII makes the file Windows-1252', async () => {
    const ascii = 'a,b\n' + 'plain,text\n'.repeat(150_000);
    const scan = await scanText(Buffer.concat([Buffer.from(ascii), Buffer.from('Größe,1\n', 'latin1')]));
    expect(scan.layout.encoding.name).toBe('Windows-1252');
    expect(scan.findings).toEqual({});
    expect(scan.columns[0]?.minText).toBe('Größe');
  });

  it('stays UTF-8 when invalid bytes follow valid ones: only those rows are reported', async () => {
    const sound = 'a,b\nGröße,1\n' + 'plain,text\n'.repeat(150_000);
    const scan = await scanText(
      Buffer.concat([Buffer.from(sound), Buffer.from('Größe,1\n', 'latin1'), Buffer.from('x,y\n')]),
    );
    expect(scan.layout.encoding.name).toBe('UTF-8');
    expect(scan.findings.bad_bytes).toEqual({ count: 1, line: 150_003 });
  });

  it('accepts a U+FFFD that is in the file', async () => {
    const scan = await scanText('a,b\nlost \uFFFD letter,1\n');
    expect(scan.findings).toEqual({});
  });

  it('converts text back to the same bytes', () => {
    expect(encodeText('é,', { name: 'UTF-16BE', bom: 2 })).toEqual(utf16be('é,'));
    expect(encodeText('é€', { name: 'Windows-1252', bom: 0 })).toEqual(Buffer.from([0xe9, 0x80]));
  });
});
