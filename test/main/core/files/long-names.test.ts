import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeError } from '../../../../src/main/core/files/file-errors.ts';
import { checkOutput, writeOutput } from '../../../../src/main/core/files/output-file.ts';
import { useFolders } from '../../../support/folders.ts';

const folders = useFolders();
/** A name of so many bytes; a two-byte letter is a part of it. */
const nameOf = (bytes: number): string => `${'n'.repeat(bytes - 6)}é.csv`;
const endings = ['', '.partial', '.manifest.json.partial'];

describe('a name that is too long', () => {
  it.each(endings)(
    'is said with its bytes and the limit, which the ending %j of a file beside it lowers',
    async (ending) => {
      const folder = await folders();
      const limit = 255 - ending.length;
      await writeFile(join(folder, nameOf(limit) + ending), '');
      const name = nameOf(limit + 1);
      const error = await writeFile(join(folder, name + ending), '').catch((cause: unknown) =>
        writeError(cause, name),
      );
      expect(error).toMatchObject({
        code: 'file_unwritable',
        details: { file: name, tooLong: 'name', reason: expect.stringContaining(`${limit + 1} bytes`) },
      });
      expect(error).toMatchObject({
        details: { reason: expect.stringMatching(new RegExp(`\\b${limit}\\b`)) },
      });
    },
  );

  it('is one that Windows says has no folder', () => {
    const name = nameOf(260);
    const cause = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: `C:/data/${name}` });
    expect(writeError(cause, name)).toMatchObject({ details: { tooLong: 'name' } });
    const missing = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: 'C:/data/a.csv' });
    expect(writeError(missing, 'a.csv')).toMatchObject({ details: { file: 'a.csv' } });
    expect(writeError(missing, 'a.csv')).not.toMatchObject({ details: { tooLong: 'name' } });
  });

  it('is told from a path that is too long', async () => {
    let folder = await folders();
    while (Buffer.byteLength(folder) < 3900) await mkdir((folder = join(folder, 'd'.repeat(180))));
    const error = await writeOutput({ path: join(folder, 'n'.repeat(200)), replaces: false }, '').catch(
      (cause: unknown) => cause,
    );
    expect(error).toMatchObject({ code: 'file_unwritable', details: { tooLong: 'path' } });
  });
});

describe('the check of a result', () => {
  it('covers the files beside it, under the name of the result, and leaves nothing', async () => {
    const folder = await folders();
    const check = async (bytes: number) => {
      const path = join(folder, nameOf(bytes));
      return checkOutput({ path, replaces: false }, [`${path}.manifest.json`]);
    };
    await check(233);
    await expect(check(234)).rejects.toMatchObject({
      details: { file: basename(nameOf(234)), tooLong: 'name', reason: expect.stringMatching(/\b233\b/) },
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
