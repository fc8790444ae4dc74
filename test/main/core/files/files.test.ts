import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createFiles, sourceAt } from '../../../../src/main/core/files/files.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

it('a file is found by its token while this process runs and the file exists', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-found-'));
  folders.push(folder);
  const path = join(folder, 'week 1.csv');
  await writeFile(path, 'a\n');
  const files = createFiles();
  const { token } = await files.grantSource(sourceAt(path));
  await writeFile(path, 'a\n1\n');
  expect(await files.findSource(token)).toEqual({ token, name: 'week 1.csv', bytes: 4 });
  expect(await createFiles().findSource(token)).toBeNull();
  await rm(path);
  expect(await files.findSource(token)).toBeNull();
});
