import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles, targetAt } from '../../../../src/main/core/files/files.ts';
import { createWrite } from '../../../../src/main/core/files/write.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
const letters = (text: string) => Buffer.from(text).toString('base64');

it('a file of the window is written in pieces, and has its name when the last one is written', async () => {
  const folder = await newFolder();
  const path = join(folder, 'plot.png');
  const files = createFiles();
  const { write } = createWrite(files);
  const { token } = files.grantTarget(targetAt(path));
  await write({ token, base64: letters('one, '), more: false, last: false }, {});
  await write({ token, base64: letters('two'), more: true, last: false }, {});
  expect(await readdir(folder)).toEqual(['plot.png.partial']);
  // The window begins again.
  await write({ token, base64: letters('three'), more: false, last: false }, {});
  await write({ token, base64: letters(', four'), more: true, last: true }, {});
  expect(await readFile(path, 'utf8')).toBe('three, four');
  expect(await readdir(folder)).toEqual(['plot.png']);
  // The file is complete: the window can't write to it again.
  await expect(write({ token, base64: letters('four'), more: true, last: true }, {})).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect(await readFile(path, 'utf8')).toBe('three, four');
});

it('an incomplete file of the window is removed when the application closes', async () => {
  const folder = await newFolder();
  const files = createFiles();
  const { write, close } = createWrite(files);
  for (const name of ['a.png', 'b.png']) {
    const { token } = files.grantTarget(targetAt(join(folder, name)));
    await write({ token, base64: letters('half'), more: false, last: false }, {});
  }
  expect(await readdir(folder)).toHaveLength(2);
  await close();
  expect(await readdir(folder)).toEqual([]);
});

it('a file of the window replaces another only if the system’s dialog asked', async () => {
  const folder = await newFolder();
  const path = join(folder, 'plot.png');
  await writeFile(path, 'mine');
  const files = createFiles();
  const { write } = createWrite(files);
  const piece = { base64: letters('new'), more: false, last: true };
  const { token } = files.grantTarget(targetAt(path));
  await expect(write({ token, ...piece }, {})).rejects.toMatchObject({ code: 'file_exists' });
  expect(await readFile(path, 'utf8')).toBe('mine');
  const permitted = files.grantTarget(targetAt(path, true));
  await write({ token: permitted.token, ...piece }, {});
  expect(await readFile(path, 'utf8')).toBe('new');
});

it('a piece without those before it is refused', async () => {
  const folder = await newFolder();
  const files = createFiles();
  const { write } = createWrite(files);
  const { token } = files.grantTarget(targetAt(join(folder, 'plot.png')));
  await expect(write({ token, base64: letters('two'), more: true, last: true }, {})).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect(await readdir(folder)).toEqual([]);
});

it('a file is written only to the path that the user selected, and an error is reported', async () => {
  const folder = await newFolder();
  const files = createFiles();
  const { write } = createWrite(files);
  const piece = { base64: letters('x'), more: false, last: true };
  await expect(write({ token: 'guessed', ...piece }, {})).rejects.toMatchObject({ code: 'invalid_input' });
  const jobTarget = files.grantTarget({ place: 'job', name: 'x.csv' });
  await expect(write({ token: jobTarget.token, ...piece }, {})).rejects.toMatchObject({
    code: 'invalid_input',
  });
  const { token } = files.grantTarget(targetAt(join(folder, 'gone', 'plot.png')));
  await expect(write({ token, ...piece }, {})).rejects.toMatchObject({
    code: 'file_unwritable',
    details: { file: 'plot.png' },
  });
});
