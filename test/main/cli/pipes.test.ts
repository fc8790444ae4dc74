import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../../../src/demo/index.ts';
import type { Demo } from '../../../src/demo/index.ts';
import { cliEnd, connectionEnv, startCli } from '../../support/cli.ts';
import { useFolders } from '../../support/folders.ts';
import { hasKeyring, startKeyring } from '../../support/keyring.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 10, wells: 1 });
});
afterAll(() => demo.close());
const folder = useFolders();

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
