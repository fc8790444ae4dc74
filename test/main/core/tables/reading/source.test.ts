import { appendFile, utimes } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashFile, openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { fileWith, scanPath } from '../../../features/upload/support/files.ts';

it('a source detects that the file is written to while it is open', async () => {
  const path = await fileWith('a,b\n1,2\n');
  const source = openSource(path, 'file.csv');
  expect(source.touched()).toBe(false);
  await appendFile(path, '3,4\n');
  expect(source.touched()).toBe(true);
  source.close();
});

it('a file with another time is what an earlier pass read if its content is, where a digest is expected', async () => {
  const path = await fileWith('a,b\n1,2\n');
  const { bytes, mtimeMs, sha256 } = scanPath(path);
  await utimes(path, 1_000_000, 1_000_000);
  expect(() => openSource(path, 'f', null, { bytes, mtimeMs })).toThrow(
    expect.objectContaining({ code: 'file_changed' }),
  );
  openSource(path, 'f', null, { bytes, mtimeMs, sha256 }).close();
  await appendFile(path, '3,4\n');
  expect(() => openSource(path, 'f', null, { bytes, mtimeMs, sha256 })).toThrow(
    expect.objectContaining({ code: 'file_changed' }),
  );
});

it('a source that is closed twice doesn’t close a file that was opened since', async () => {
  const [first, second] = [await fileWith('1'), await fileWith('2')];
  const source = openSource(first, 'first.csv');
  source.close();
  const later = openSource(second, 'second.csv');
  source.close();
  expect(later.sample().toString()).toBe('2');
  later.close();
});

it.each([
  ['plain', Buffer.from('a,b\n1,2\n')],
  ['with a byte order mark', Buffer.from('\uFEFFa,b\n1,2\n')],
  ['UTF-16 cut in the middle of a character', Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le').subarray(0, -1)],
])('the hash computed while reading is that of the file: %s', async (_what, content) => {
  const path = await fileWith(content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(hashFile({ path, fileName: 'f' })).toEqual({ sha256, bytes: content.length });
  expect(scanPath(path).sha256).toBe(sha256);
});
