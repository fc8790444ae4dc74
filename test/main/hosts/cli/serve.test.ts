import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { cliEnd, runInProcess, startCli } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

const folder = useFolders();
const running: ReturnType<typeof startCli>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

const isBuilt = existsSync(join(import.meta.dirname, '../../../../out/renderer/index.html'));

/** `serve` over a folder, and the links that it prints, in order. */
async function serve(dataFolder: string) {
  const child = startCli(['serve', '--data-dir', dataFolder]);
  running.push(child);
  if (!child.stdout) throw new Error('it says nothing');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done) throw new Error('it ended without a link');
    return (JSON.parse(line.value) as { url: string }).url;
  };
  return { child, next, first: await next() };
}

const visit = (url: string) => fetch(url, { redirect: 'manual' }).then(({ status }) => status);
const open = (dataFolder: string) => runInProcess(['open', '--json', '--data-dir', dataFolder]);

describe('a browser host whose browser was closed', () => {
  it.skipIf(!isBuilt)(
    'prints a new sign-in link at Enter in its terminal, and by wellbench open',
    async () => {
      const dataFolder = await folder();
      const { child, next, first } = await serve(dataFolder);
      expect([await visit(first), await visit(first)]).toEqual([302, 403]);
      child.stdin?.write('\n');
      const second = await next();
      expect([await visit(second), await visit(second)]).toEqual([302, 403]);
      const opened = await open(dataFolder);
      expect(opened).toMatchObject({ code: 0, stderr: '' });
      const { url } = opened.summary() as { url: string };
      expect(new URL(url).origin).toBe(new URL(first).origin);
      expect(await visit(url)).toBe(302);
      const [file = ''] = (await readdir(join(dataFolder, 'serving'))).filter((name) =>
        name.endsWith('.json'),
      );
      if (process.platform !== 'win32')
        expect((await stat(join(dataFolder, 'serving', file))).mode & 0o777).toBe(0o600);
      child.kill('SIGTERM');
      await cliEnd(child);
      expect(await open(dataFolder)).toMatchObject({ code: 2 });
    },
  );

  it('isn’t contacted after it was killed: another program may use its port', async () => {
    const dataFolder = await folder();
    await mkdir(join(dataFolder, 'serving'));
    await writeFile(join(dataFolder, 'serving', '4711.json'), JSON.stringify({ port: 4711, linkKey: 'k' }));
    const { code, error } = await open(dataFolder);
    expect(code).toBe(2);
    expect(error()).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('wellbench serve'),
    });
  });
});
