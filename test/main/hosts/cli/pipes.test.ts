import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { createApp } from '../../../../src/main/app.ts';
import { noDialogs } from '../../../../src/main/hosts/no-dialogs.ts';
import { cliEnd, connectionEnv, firstLine, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { hasKeyring, startKeyring } from '../../../support/keyring.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 10, wells: 1 });
});
afterAll(() => demo.close());
const folder = useFolders();
/** The browser host serves the built window. */
const isBuilt = existsSync(join(import.meta.dirname, '../../../../out/renderer/index.html'));

/** In a process of its own: work that waits in a thread keeps a process from ending. */
async function expectRefused(args: (pipe: string) => string[], env: Readonly<Record<string, string>>) {
  const pipe = join(await folder(), 'data.csv');
  execFileSync('mkfifo', [pipe]);
  const child = startCli([...args(pipe), '--data-dir', await folder(), '--json'], env);
  child.stdin?.end('k');
  const ended = await cliEnd(child);
  expect(ended.code).not.toBe(0);
  expect(ended.error()).toMatchObject({
    code: 'file_unreadable',
    details: { reason: 'it is a pipe or a device' },
  });
}

describe.skipIf(process.platform === 'win32')('a pipe in place of a file', () => {
  it.each([
    ['inspect', (pipe: string) => ['inspect', pipe]],
    ['upload', (pipe: string) => ['upload', 'demo/wits', pipe]],
    ['upload --mapping', (pipe: string) => ['upload', 'demo/wits', import.meta.filename, '--mapping', pipe]],
    ['connections import', (pipe: string) => ['connections', 'import', pipe]],
  ])('is rejected by %s, which ends', async (_command, args) => {
    await expectRefused(args, connectionEnv(demo));
  });

  it.runIf(hasKeyring())('is rejected by connections add --ca-file, which ends', async () => {
    const ring = await startKeyring();
    try {
      const addresses = ['--data-url', demo.dataUrl, '--platform-url', demo.platformUrl];
      await expectRefused((pipe) => ['connections', 'add', 'North', ...addresses, '--ca-file', pipe], {
        ...ring.env,
        WELLBENCH_KEYCHAIN: '',
      });
    } finally {
      await ring.close();
    }
  });
});

describe.skipIf(process.platform === 'win32')('a pipe in place of the log of a mirror', () => {
  it('is shown in the list, holds up nothing else, and the host ends with SIGTERM', async () => {
    const [data, work] = [await folder(), await folder()];
    for (const name of ['first', 'second', 'third']) {
      const args = ['mirror', 'demo/wits', '--out', join(work, name), '--data-dir', data, '--json'];
      expect((await runInProcess(args, connectionEnv(demo))).code).toBe(0);
      const last = join(work, name, '_delta_log', '00000000000000000001.json');
      rmSync(last);
      execFileSync('mkfifo', [last]);
    }
    const again = ['mirror', 'demo/wits', '--out', join(work, 'first'), '--data-dir', data, '--json'];
    const refused = await runInProcess(again, connectionEnv(demo));
    expect(refused.error()).toMatchObject({ code: 'file_unreadable' });
    const app = await createApp({
      host: 'browser',
      fileMode: 'stream',
      dataFolder: data,
      env: { WELLBENCH_KEYCHAIN: 'off' },
      choose: () => noDialogs,
    });
    try {
      const [mirrors, settings] = await Promise.all([
        app.client.mirrors.list({}),
        app.client.settings.get({}),
      ]);
      expect(mirrors).toHaveLength(3);
      for (const { content, problem } of mirrors)
        expect([content, problem]).toMatchObject([
          null,
          { code: 'file_unreadable', details: { reason: 'it is a pipe or a device' } },
        ]);
      expect(settings.problem).toBeNull();
    } finally {
      await app.close();
    }
    if (!isBuilt) return;
    const host = startCli(['serve', '--port', '0', '--data-dir', data]);
    await firstLine(host);
    const ended = cliEnd(host);
    host.kill('SIGTERM');
    expect([0, 130, 143]).toContain((await ended).code);
  });
});
