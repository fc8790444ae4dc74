import { execFileSync } from 'node:child_process';
import { closeSync, renameSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFiles, sourceAt, targetAt } from '../../../../src/main/core/files/files.ts';
import { copyToOutput } from '../../../../src/main/core/files/output-file.ts';
import { openRegular, openRegularSync, readRegular } from '../../../../src/main/core/files/regular-file.ts';
import { createWrite } from '../../../../src/main/core/files/write.ts';
import { readArgument } from '../../../../src/main/hosts/open-arguments.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();
const refused = (reason: string) => ({ code: 'file_unreadable', details: { file: 'data.csv', reason } });

/** Each kind of item that isn't a regular file. */
const others: readonly [string, string, (path: string) => unknown][] = [
  ['a folder', 'it is a folder', (path) => mkdir(path)],
  ['a pipe', 'it is a pipe or a device', (path) => execFileSync('mkfifo', [path])],
  [
    'a link to a pipe',
    'it is a pipe or a device',
    (path) => {
      execFileSync('mkfifo', [`${path}.fifo`]);
      return symlink(`${path}.fifo`, path);
    },
  ],
  ['a device', 'it is a pipe or a device', (path) => symlink('/dev/zero', path)],
  [
    'a socket',
    'it is a pipe or a device',
    (path) => new Promise<void>((resolve) => createServer().unref().listen(path, resolve)),
  ],
];

describe.skipIf(process.platform === 'win32')('opening only regular files', () => {
  it.each(others)('%s is rejected', async (_what, reason, make) => {
    const path = join(await folder(), 'data.csv');
    await make(path);
    await expect(openRegular(path, 'data.csv')).rejects.toMatchObject(refused(reason));
    await expect(readRegular(path, 'data.csv')).rejects.toMatchObject(refused(reason));
    expect(() => openRegularSync(path, 'data.csv')).toThrow(expect.objectContaining(refused(reason)));
    await expect(createFiles().grantSource(sourceAt(path))).rejects.toMatchObject(refused(reason));
    await expect(copyToOutput(path, { path: `${path}.copy`, replaces: false })).rejects.toMatchObject(
      refused(reason),
    );
  });

  it('a pipe that replaced a file after it was selected is rejected without waiting for a writer', async () => {
    const home = await folder();
    const path = join(home, 'data.csv');
    await writeFile(path, 'a,b\n');
    const files = createFiles();
    const { token } = await files.grantSource(sourceAt(path));
    execFileSync('mkfifo', [join(home, 'pipe')]);
    renameSync(join(home, 'pipe'), path);
    await expect(openRegular(files.source(token).path, 'data.csv')).rejects.toMatchObject(
      refused('it is a pipe or a device'),
    );
  });

  it('nothing is written to a pipe', async () => {
    const path = join(await folder(), 'plot.png');
    execFileSync('mkfifo', [path]);
    const files = createFiles();
    const { token } = files.grantTarget(targetAt(path, true));
    await expect(
      createWrite(files).write({ token, base64: 'AAAA', more: false, last: true }, {}),
    ).rejects.toMatchObject({
      code: 'file_unwritable',
    });
  });

  it('a file of queries that is a pipe is reported as an issue', async () => {
    const path = join(await folder(), 'data.wellbench');
    execFileSync('mkfifo', [path]);
    expect(await readArgument(path, createFiles())).toMatchObject({
      kind: 'problem',
      error: { code: 'file_unreadable' },
    });
  });

  it('a file, and a link to one, are read; one that is too large is rejected', async () => {
    const path = join(await folder(), 'data.csv');
    await writeFile(path, 'a,b\n');
    await symlink(path, `${path}.link`);
    expect((await readRegular(`${path}.link`, 'data.csv')).toString()).toBe('a,b\n');
    closeSync(openRegularSync(path, 'data.csv'));
    await expect(readRegular(path, 'data.csv', 3)).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});
