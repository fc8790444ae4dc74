import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { openSharedFile } from '../../../../src/main/core/files/shared-file.ts';

const content = z.object({ changes: z.array(z.int()) });
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function openFile() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-shared-'));
  folders.push(dataFolder);
  const file = openSharedFile<z.infer<typeof content>>({
    dataFolder,
    name: 'changes',
    format: 1,
    nothing: { changes: [] },
    read: (found) => {
      const { data } = content.safeParse(found);
      return data ? { value: data, partly: false } : null;
    },
    what: 'changes',
    warn: () => undefined,
  });
  const add = (change: number) =>
    file.locked(async ({ changes }) => file.write({ changes: [...changes, change] }));
  return { ...file, add };
}

it('a shared file applies changes in the order in which they were requested', async () => {
  const { add, read } = await openFile();
  const numbers = Array.from({ length: 30 }, (_, nth) => nth);
  await Promise.all(numbers.map(add));
  expect(await read()).toEqual({ changes: numbers });
});

it('a shared file continues after a failed change', async () => {
  const { add, locked, read } = await openFile();
  const failing = locked(() => Promise.reject(new Error('no')));
  const following = add(1);
  await expect(failing).rejects.toThrow('no');
  await following;
  expect(await read()).toEqual({ changes: [1] });
});
