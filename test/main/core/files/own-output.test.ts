import { readFileSync, writeFileSync } from 'node:fs';
import { rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkOwnOutput, copyToOwnOutput } from '../../../../src/main/core/files/own-output.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
const replacing = (path: string) => ({ path, replaces: true });
const creating = (path: string) => ({ path, replaces: false });

describe('a result that a job writes again', () => {
  async function start() {
    const folder = await newFolder();
    const [from, path, record] = ['from', 'rejects.csv', 'record.json'].map((name) => join(folder, name));
    if (!from || !path || !record) throw new Error('three paths');
    writeFileSync(from, 'first');
    return {
      folder,
      path,
      output: creating(path),
      write: (text: string, output = creating(path)) => {
        writeFileSync(from, text);
        return copyToOwnOutput(from, output, record);
      },
      check: (output = creating(path)) => checkOwnOutput(output, record),
    };
  }

  it('replaces its own version, as often as it is written', async () => {
    const { write, check, path } = await start();
    for (const text of ['first', 'second, longer', 'third']) {
      await check();
      await write(text);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  it.each([
    ['corrected it in place', (path: string) => writeFileSync(path, 'first, corrected')],
    ['corrected it without a change of its length', (path: string) => writeFileSync(path, 'FIRST')],
    [
      'saved another file in its place',
      async (path: string) => {
        writeFileSync(`${path}.new`, 'first');
        await rename(`${path}.new`, path);
      },
    ],
  ])(
    'is refused after the user %s, even if the first version was allowed to replace',
    async (_what, edit) => {
      const { write, check, path } = await start();
      writeFileSync(path, 'an earlier file');
      await write('first', replacing(path));
      await utimes(path, new Date(1e12), new Date(1e12));
      await Promise.resolve(edit(path));
      const edited = readFileSync(path, 'utf8');
      await expect(check(replacing(path))).rejects.toMatchObject({ code: 'file_exists' });
      await expect(write('second', replacing(path))).rejects.toMatchObject({ code: 'file_exists' });
      expect(readFileSync(path, 'utf8')).toBe(edited);
    },
  );

  it('is refused where a file of somebody else was from the start', async () => {
    const { write, path } = await start();
    writeFileSync(path, 'mine');
    await expect(write('first')).rejects.toMatchObject({ code: 'file_exists' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });
});
