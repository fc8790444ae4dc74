import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moveFile } from '../../../../src/main/core/files/move-file.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
const otherDrive = '/dev/shm';

describe('moving a file that another program wrote', () => {
  it('gives it the name, replaces what has it, and says what it is', async () => {
    const folder = await newFolder();
    const [from, to] = [join(folder, 'made'), join(folder, 'kept')];
    await writeFile(from, 'new');
    await writeFile(to, 'old');
    expect(await moveFile(from, to, 'kept')).toMatchObject({ bytes: 3 });
    expect(await readdir(folder)).toEqual(['kept']);
    expect(await readFile(to, 'utf8')).toBe('new');
  });

  it.skipIf(!existsSync(otherDrive))(
    'never has a part of it under its name, even from another drive',
    async ({ skip }) => {
      const folder = await newFolder();
      const source = await mkdtemp(join(otherDrive, 'wellbench-test-'));
      skip(statSync(source).dev === statSync(folder).dev, 'it is the same drive');
      try {
        const [from, to] = [join(source, 'made'), join(folder, 'kept')];
        const bytes = 48 << 20;
        await writeFile(from, Buffer.alloc(bytes, 7));
        // What a kill left, and a link that must not be followed.
        await writeFile(join(folder, 'other'), 'other');
        await symlink(join(folder, 'other'), `${to}.partial`);
        const sizes = new Set<number>();
        const end = new AbortController();
        const watching = (async () => {
          while (!end.signal.aborted) {
            sizes.add(statSync(to, { throwIfNoEntry: false })?.size ?? -1);
            await new Promise(setImmediate);
          }
        })();
        expect(await moveFile(from, to, 'kept')).toMatchObject({ bytes });
        end.abort();
        await watching;
        expect([...sizes].filter((size) => size !== -1 && size !== bytes)).toEqual([]);
        expect((await readdir(folder)).toSorted()).toEqual(['kept', 'other']);
        expect([await readFile(join(folder, 'other'), 'utf8'), existsSync(from)]).toEqual(['other', false]);
      } finally {
        await rm(source, { recursive: true, force: true });
      }
    },
  );
});
