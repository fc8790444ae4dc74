import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  renameFile,
  writeWhole,
  createFolder,
  flushFolder,
  flushFolderSync,
} from '../../../../src/main/core/files/disk.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();

/** Runs work, and returns the inodes of the files and folders that it flushed, in order. */
async function flushedBy(work: () => Promise<unknown>): Promise<number[]> {
  const file = await open(import.meta.filename, 'r');
  const prototype: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const inodes: number[] = [];
  const spies = (['sync', 'datasync'] as const).map((call) =>
    vi.spyOn(prototype, call).mockImplementation(async function (this: FileHandle) {
      inodes.push((await this.stat()).ino);
    }),
  );
  await work().finally(() => spies.forEach((spy) => spy.mockRestore()));
  return inodes;
}

const inodeOf = (path: string): number => statSync(path).ino;

describe.skipIf(process.platform === 'win32')('what is on disk after a power loss', () => {
  it('is a file that was written whole: its content, then its name', async () => {
    const path = join(await folder(), 'a.json');
    const flushed = await flushedBy(() => writeWhole(path, 'new'));
    expect(flushed).toEqual([inodeOf(path), inodeOf(join(path, '..'))]);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('is the new name of a file, and that it left its folder', async () => {
    const [from, to] = [await folder(), await folder()];
    writeFileSync(join(from, 'a'), '');
    const flushed = await flushedBy(() => renameFile(join(from, 'a'), join(to, 'b')));
    expect(flushed).toEqual([inodeOf(to), inodeOf(from)]);
  });

  it('is every folder that was created, by the folder above it', async () => {
    const root = await folder();
    const path = join(root, 'a', 'b');
    const flushed = await flushedBy(() => createFolder(path));
    expect(flushed.slice(0, 2)).toEqual([inodeOf(join(root, 'a')), inodeOf(root)]);
    // Whoever created it may have ended before the flush.
    expect(await flushedBy(() => createFolder(path))).toEqual(flushed);
  });
});

describe('flushing a folder', () => {
  it('does nothing where the system can’t, and fails for a folder that is missing', async () => {
    const path = await folder();
    await expect(flushFolder(path)).resolves.toBeUndefined();
    expect(() => flushFolderSync(path)).not.toThrow();
    if (process.platform === 'win32') return;
    await expect(flushFolder(join(path, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(() => flushFolderSync(join(path, 'none'))).toThrow('ENOENT');
    const unsupported = Object.assign(new Error('EINVAL'), { code: 'EINVAL' });
    const file = await open(import.meta.filename, 'r');
    const prototype: FileHandle = Object.getPrototypeOf(file);
    await file.close();
    const spy = vi.spyOn(prototype, 'sync').mockRejectedValue(unsupported);
    await expect(flushFolder(path)).resolves.toBeUndefined();
    spy.mockRestore();
  });
});
