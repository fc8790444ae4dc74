import { readFile, symlink, writeFile, chmod, mkdir, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, describe } from 'vitest';
import { writeWhole, copyWhole } from '../../../src/main/files/disk.ts';
import { useFolders } from '../../support/folders.ts';
import { canMount, withSmallDisk } from '../../support/small-disk.ts';

const newFolder = useFolders();

it('a file written as a whole follows no link placed next to it', async () => {
  const folder = await newFolder();
  const [path, other] = [join(folder, 'saved.txt'), join(folder, 'other.txt')];
  await writeFile(other, 'mine');
  // Their names are numbered; any user who can write to the folder can create many.
  for (let count = 1; count <= 50; count++) await symlink(other, `${path}.${process.pid}-${count}.tmp`);
  await writeWhole(path, 'new');
  expect(await readFile(other, 'utf8')).toBe('mine');
  expect(await readFile(path, 'utf8')).toBe('new');
});

describe('a copy', () => {
  const folder = useFolders();

  async function start() {
    const home = await folder();
    await mkdir(join(home, 'to'));
    const from = join(home, 'rejects.csv');
    await writeFile(from, Buffer.from([0xef, 0xbb, 0xbf, 97, 13, 10, 0, 255]));
    return { home, from, to: join(home, 'to', 'mine.csv') };
  }

  it('has every byte, and replaces the earlier file', async () => {
    const { home, from, to } = await start();
    await writeFile(to, 'something older and longer than the new one');
    await copyWhole(from, to);
    expect(await readFile(to)).toEqual(await readFile(from));
    expect(await readdir(join(home, 'to'))).toEqual(['mine.csv']);
  });

  it('onto itself changes nothing, even through a link', async () => {
    const { home, from } = await start();
    const before = await readFile(from);
    await copyWhole(from, from);
    await symlink(from, join(home, 'link.csv'));
    await copyWhole(from, join(home, 'link.csv'));
    expect(await readFile(from)).toEqual(before);
  });

  it('follows no link placed next to the target', async () => {
    const { home, from, to } = await start();
    const other = join(home, 'other.txt');
    await writeFile(other, 'mine');
    await symlink(other, `${to}.${process.pid}.partial`);
    await copyWhole(from, to);
    expect(await readFile(other, 'utf8')).toBe('mine');
    expect(await readFile(to)).toEqual(await readFile(from));
  });

  it('of a file that no longer exists names the file, not the path, and leaves the target unchanged', async () => {
    const { home, to } = await start();
    await writeFile(to, 'older');
    const failure = await copyWhole(join(home, 'gone.csv'), to).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'file_unreadable',
      details: { file: 'gone.csv', reason: 'it doesn’t exist' },
    });
    expect(String(failure)).not.toContain(home);
    expect(await readFile(to, 'utf8')).toBe('older');
  });

  it('into a folder that doesn’t exist, or onto one, reports it and leaves nothing behind', async () => {
    const { home, from, to } = await start();
    await expect(copyWhole(from, join(home, 'none', 'a.csv'))).rejects.toMatchObject({
      code: 'file_unwritable',
      details: { file: 'a.csv', reason: 'its folder doesn’t exist' },
    });
    await mkdir(join(to, 'loaded'), { recursive: true });
    await expect(copyWhole(from, to)).rejects.toMatchObject({ code: 'file_unwritable' });
    expect(await readdir(join(home, 'to'))).toEqual(['mine.csv']);
  });

  it('can be replaced even if the source is read-only', async () => {
    const { from, to } = await start();
    await chmod(from, 0o400);
    await copyWhole(from, to);
    await copyWhole(from, to);
    expect(await readFile(to)).toEqual(await readFile(from));
  });

  it('of a large sparse file is complete', async () => {
    const { from, to } = await start();
    await truncate(from, 8 * 1024 * 1024);
    await copyWhole(from, to);
    expect((await readFile(to)).equals(await readFile(from))).toBe(true);
  });

  it.skipIf(!canMount)(
    'onto a full disk reports it, removes the partial copy, and keeps the existing file',
    async () => {
      const { home, from, to } = await start();
      await truncate(from, 256 * 1024);
      await withSmallDisk(join(home, 'to'), 64, async () => {
        await writeFile(to, 'older');
        const failure = await copyWhole(from, to).catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: 'disk_full', details: { file: 'mine.csv' } });
        expect(await readFile(to, 'utf8')).toBe('older');
        expect(await readdir(join(home, 'to'))).toEqual(['mine.csv']);
      });
    },
  );
});
