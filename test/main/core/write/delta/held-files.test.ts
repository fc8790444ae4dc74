import type * as promises from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { newFilePath, removeOldFiles } from '../../../../../src/main/core/write/delta/vacuum.ts';
import { useFolders } from '../../../../support/folders.ts';

const newFolder = useFolders();
/** Files that another program has open, as a system says that removes none of these. */
const held = vi.hoisted(() => new Map<string, string>());
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  const rm: typeof real.rm = (path, options) => {
    const code = held.get(String(path));
    return code === undefined
      ? real.rm(path, options)
      : Promise.reject(Object.assign(new Error(code), { code }));
  };
  return { ...real, rm };
});

it('removes the other old files of a table if a program has some open, and those by a later run', async () => {
  const table = await newFolder();
  await mkdir(join(table, 'asset_id=5003'));
  const files = Array.from({ length: 3 }, () => join(table, newFilePath('asset_id=5003')));
  for (const file of files) {
    await writeFile(file, 'PAR1');
    await utimes(file, 0, 0);
  }
  const remove = () =>
    removeOldFiles(table, { files: new Map(), removed: new Map() }, { removedMs: Infinity, unknownMs: 1000 });
  const [first = '', second = ''] = files;
  held.set(first, 'EBUSY').set(second, 'EPERM');
  expect(await remove()).toEqual({ removed: 1, held: 2 });
  expect(files.map((file) => existsSync(file))).toEqual([true, true, false]);
  held.clear();
  expect(await remove()).toEqual({ removed: 2, held: 0 });
  held.set(first, 'EIO');
  await writeFile(first, 'PAR1');
  await utimes(first, 0, 0);
  await expect(remove()).rejects.toMatchObject({ code: 'file_unwritable' });
});
