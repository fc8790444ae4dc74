import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { unpack } from '../../../../../src/main/core/tables/conversion/unpack.ts';
import type { Compression } from '../../../../../src/shared/upload/formats.ts';
import { fileWith, temporaryFolder } from '../../../features/upload/support/files.ts';

const text = Array.from({ length: 20_000 }, (_, n) => `${n},${n * 7}\n`).join('');
const ignore = () => undefined;

async function unpacked(content: Uint8Array, how: Compression) {
  const path = await fileWith(content, 'file');
  const to = join(await temporaryFolder(), 'out');
  const bytes = await unpack({ path, fileName: 'file' }, how, to, ignore);
  return { bytes, text: await readFile(to, 'utf8') };
}

describe('unpacking', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['zip', zipSync({ 'a.csv': strToU8(text) })],
    ['zip', zipSync({ 'a.csv': strToU8(text) }, { level: 0 })],
  ] as const)('%s restores the file', async (how, content) => {
    expect(await unpacked(content, how)).toEqual({ bytes: text.length, text });
  });

  it('rejects a zip archive whose only file is empty, and says so', async () => {
    const archive = zipSync({ 'a.csv': new Uint8Array() }, { level: 0 });
    await expect(unpacked(archive, 'zip')).rejects.toThrow(/it is empty/);
  });

  it('rejects truncated data', async () => {
    await expect(unpacked(gzipSync(text).subarray(0, -500), 'gzip')).rejects.toThrow(/cut short/);
  });

  it('rejects a zip archive whose content differs from its checksum', async () => {
    const bytes = Buffer.from(zipSync({ 'a.csv': strToU8(text) }, { level: 0 }));
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    await expect(unpacked(bytes, 'zip')).rejects.toThrow(/damaged/);
  });

  it('rejects a decompression bomb before it fills the disk', async () => {
    const bomb = gzipSync(Buffer.alloc(200 << 20));
    await expect(unpacked(bomb, 'gzip')).rejects.toThrow(/more than 250 times larger/);
  });
});
