import { describe, expect, it } from 'vitest';
import iconv from 'iconv-lite';
import {
  chosenEncoding,
  decoderOf,
  detectEncoding,
  encodeText,
} from '../../../../src/main/upload/reading/encoding.ts';
import { inspectionOf } from '../../../../src/main/upload/reading/inspection.ts';
import { scanText } from '../support/files.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8 by its mark', Buffer.from('\uFEFFa,b'), { name: 'UTF-8', bom: 3 }],
    ['UTF-16LE by its mark', Buffer.from('\uFEFFa,b', 'utf16le'), { name: 'UTF-16LE', bom: 2 }],
    ['UTF-16BE by its mark', utf16be('\uFEFFa,b'), { name: 'UTF-16BE', bom: 2 }],
    ['UTF-16LE by its zeros', Buffer.from('a,b\n1,2\n', 'utf16le'), { name: 'UTF-16LE', bom: 0 }],
    ['UTF-16BE by its zeros', utf16be('a,b\n1,2\n'), { name: 'UTF-16BE', bom: 0 }],
    ['UTF-8 by its content', Buffer.from('é,ß,日\n'), { name: 'UTF-8', bom: 0 }],
    [
      'Windows-1252 where it is not UTF-8',
      bytes(0x54, 0xe9, 0x2c, 0x80, 0x0a),
      { name: 'Windows-1252', bom: 0, alternatives: [] },
    ],
  ])('is known as %s', (_how, sample, found) => {
    expect(detectEncoding(sample, true)).toEqual(found);
  });

  it('is not judged by a character that the sample cuts in two', () => {
    expect(detectEncoding(Buffer.from('a,日').subarray(0, 4), false).name).toBe('UTF-8');
    expect(detectEncoding(Buffer.from('a,日').subarray(0, 4), true).name).toBe('Windows-1252');
  });

  it('has the euro sign of Windows-1252 where Latin-1 has a control character', () => {
    const content = Buffer.from([0x80, 0x9f, 0xe9]);
    expect(decoderOf({ name: 'Windows-1252', bom: 0 })(content, 0, 3)).toBe('€Ÿé');
  });

  it('can be chosen by name: what detection can’t know', async () => {
    const scan = await scanText(iconv.encode('имя,n\nскважина,1\n', 'windows-1251'), {
      encoding: 'windows-1251',
    });
    const found = inspectionOf(scan);
    expect(found.columns[0]).toMatchObject({ name: 'имя', max: 'скважина' });
    expect(found.encoding).toBe('windows-1251');
  });

  it.each(['klingon', 'utf-7', 'base64', 'UTF-32'])('can’t be %s', (name) => {
    expect(() => chosenEncoding(name, bytes(0x61))).toThrow(/not known|can't be read here/);
  });

  it('is found out late: bytes that are no UTF-8 after a megabyte of ASCII make the file Windows-1252', async () => {
    const ascii = 'a,b\n' + 'plain,text\n'.repeat(150_000);
    const scan = await scanText(Buffer.concat([Buffer.from(ascii), Buffer.from('Größe,1\n', 'latin1')]));
    expect(scan.layout.encoding.name).toBe('Windows-1252');
    expect(scan.findings).toEqual({});
    expect(scan.columns[0]?.minText).toBe('Größe');
  });

  it('stays UTF-8 when broken bytes come after sound ones: those rows are named, the others stand', async () => {
    const sound = 'a,b\nGröße,1\n' + 'plain,text\n'.repeat(150_000);
    const scan = await scanText(
      Buffer.concat([Buffer.from(sound), Buffer.from('Größe,1\n', 'latin1'), Buffer.from('x,y\n')]),
    );
    expect(scan.layout.encoding.name).toBe('UTF-8');
    expect(scan.findings.bad_bytes).toEqual({ count: 1, line: 150_003 });
  });

  it('takes a U+FFFD that stands in the file for what it is', async () => {
    const scan = await scanText('a,b\nlost \uFFFD letter,1\n');
    expect(scan.findings).toEqual({});
  });

  it('gives text back as bytes', () => {
    expect(encodeText('é,', { name: 'UTF-16BE', bom: 2 })).toEqual(utf16be('é,'));
    expect(encodeText('é€', { name: 'Windows-1252', bom: 0 })).toEqual(Buffer.from([0xe9, 0x80]));
  });
});
