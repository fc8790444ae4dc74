import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { openZip } from '../../../../../src/main/core/tables/sources/zip.ts';
import { fileWith } from '../../../features/upload/support/files.ts';

const content = zipSync({
  'a/b.txt': strToU8('hello '.repeat(1000)),
  'c.txt': [strToU8('stored'), { level: 0 }],
});
const endBytes = 22;

async function textOf(bytes: Uint8Array, name: string): Promise<string> {
  using source = openSource(await fileWith(bytes, 'a.zip'), 'a.zip');
  const archive = openZip(source);
  const entry = archive.entry(name);
  if (!entry) throw new Error('the entry is listed');
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(entry)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** The archive with its directory offset in 64 bits, as streaming programs write it. */
function large(bytes: Uint8Array): Buffer {
  const end = Buffer.from(bytes.subarray(-endBytes));
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(end.readUInt16LE(10)), 32);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(bytes.length - endBytes), 8);
  end.fill(0xff, 8, 20);
  return Buffer.concat([bytes.subarray(0, -endBytes), record, locator, end]);
}

describe('a zip archive', () => {
  it('returns its entries, compressed or stored', async () => {
    expect(await textOf(content, 'a/b.txt')).toBe('hello '.repeat(1000));
    expect(await textOf(content, 'c.txt')).toBe('stored');
  });

  it('may have a 64-bit directory, and a comment', async () => {
    expect(await textOf(large(content), 'c.txt')).toBe('stored');
    const commented = Buffer.concat([content, Buffer.from('note')]);
    commented.writeUInt16LE(4, content.length - 2);
    expect(await textOf(commented, 'c.txt')).toBe('stored');
  });

  it('with a wrong checksum, or truncated, is rejected', async () => {
    const changed = Buffer.from(content);
    changed[changed.indexOf('stored')] = 0x53;
    await expect(textOf(changed, 'c.txt')).rejects.toThrow(/damaged/);
    await expect(textOf(content.subarray(0, -30), 'c.txt')).rejects.toThrow(/cut short/);
  });
});
