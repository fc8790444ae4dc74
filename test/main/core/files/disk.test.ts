import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeWhole } from '../../../../src/main/core/files/disk.ts';
import { useFolders } from '../../../support/folders.ts';

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
