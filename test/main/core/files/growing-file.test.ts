import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GrowingFile, realDisk, type Disk } from '../../../../src/main/core/files/growing-file.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();

const failing = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/** A disk that accepts this many bytes, in chunks, and then fails. */
function smallDisk(bytes: number, code: string): Disk {
  let left = bytes;
  const disk = {
    ...realDisk,
    writeSync(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number {
      if (left === 0) throw failing(code);
      const written = Math.min(length, left, 7);
      left -= written;
      return writeSync(fd, buffer, offset, written, position);
    },
  };
  return disk as Disk; // writeSync has more overloads than the one in use
}

describe('a growing file', () => {
  it('has the appended content and its SHA-256', async () => {
    const path = join(await folder(), 'file');
    const file = new GrowingFile({ disk: realDisk, path, name: 'file', isHashed: true }, 0);
    file.append('one ');
    file.append(Buffer.from('zwölf'));
    file.close();
    const bytes = readFileSync(path);
    expect(bytes.toString()).toBe('one zwölf');
    expect(file.length).toBe(bytes.length);
    expect(file.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('continues from a length, without the bytes after it', async () => {
    const path = join(await folder(), 'file');
    writeFileSync(path, 'kept, torn');
    const file = new GrowingFile({ disk: realDisk, path, name: 'file', isHashed: true }, 5);
    file.append(' new');
    expect(readFileSync(path, 'utf8')).toBe('kept, new');
    expect(file.sha256()).toBe(createHash('sha256').update('kept, new').digest('hex'));
    expect(Buffer.concat([...file.read(2)].map((bytes) => Buffer.from(bytes))).toString()).toBe('pt, new');
    file.close();
  });

  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EIO', 'file_unwritable'],
    ['EROFS', 'file_unwritable'],
  ])('reports %s as %s, with the file’s name and no path', async (code, expected) => {
    const path = join(await folder(), 'secret-folder');
    const file = new GrowingFile({ disk: smallDisk(20, code), path, name: 'wits.csv' }, 0);
    file.append('fits');
    const error = expect.objectContaining({
      code: expected,
      details: expect.objectContaining({ file: 'wits.csv' }),
    });
    expect(() => file.append('does not fit in what is left')).toThrow(error);
    expect(() => file.append('x')).toThrow(expect.not.stringContaining('secret'));
    expect(file.length).toBe(4);
    file.close();
  });

  it('needs its folder, at the start and later', async () => {
    const path = join(await folder(), 'nowhere', 'file');
    expect(() => new GrowingFile({ disk: realDisk, path, name: 'file' }, 0)).toThrow(
      expect.objectContaining({ code: 'file_unwritable' }),
    );
  });

  it('never continues after bytes that it doesn’t have, which the system would fill with zeros', async () => {
    const path = join(await folder(), 'file');
    writeFileSync(path, 'short');
    expect(() => new GrowingFile({ disk: realDisk, path, name: 'file' }, 6)).toThrow(
      expect.objectContaining({ code: 'file_unwritable' }),
    );
    expect(readFileSync(path, 'utf8')).toBe('short');
  });

  it('isn’t on disk after a flush that failed, although the system doesn’t report that again', async () => {
    let flushes = 0;
    const fdatasyncSync = (): void => {
      if (flushes++ === 0) throw failing('EIO');
    };
    const path = join(await folder(), 'file');
    const file = new GrowingFile({ disk: { ...realDisk, fdatasyncSync }, path, name: 'file' }, 0);
    file.append('a');
    for (const attempt of ['first', 'second'])
      expect(() => file.sync(), attempt).toThrow(expect.objectContaining({ code: 'file_unwritable' }));
    file.close();
  });
});
