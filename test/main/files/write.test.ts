import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFiles, targetAt } from '../../../src/main/files/files.ts';
import { createWrite } from '../../../src/main/files/write.ts';
import { useFolders } from '../../support/folders.ts';

const newFolder = useFolders();
const letters = (text: string) => Buffer.from(text).toString('base64');

it('a file of the window is written in chunks, from the start with the first one', async () => {
  const path = join(await newFolder(), 'plot.png');
  const files = createFiles();
  const write = createWrite(files);
  const { token } = files.grantTarget(targetAt(path));
  await write({ token, base64: letters('one, '), more: false, last: false }, {});
  await write({ token, base64: letters('two'), more: true, last: false }, {});
  expect(await readFile(path, 'utf8')).toBe('one, two');
  await write({ token, base64: letters('three'), more: false, last: true }, {});
  expect(await readFile(path, 'utf8')).toBe('three');
  // The file is complete: the window can't write to it again.
  await expect(write({ token, base64: letters('four'), more: true, last: true }, {})).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect(await readFile(path, 'utf8')).toBe('three');
});

it('a file is written only to the path that the user selected, and an error is reported', async () => {
  const folder = await newFolder();
  const files = createFiles();
  const write = createWrite(files);
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
