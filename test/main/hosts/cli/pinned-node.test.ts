import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { isTooOld } from '../../../../src/main/hosts/cli/pinned-node.ts';
import { useFolders } from '../../../support/folders.ts';

const root = join(import.meta.dirname, '../../../..');

/** A Node on this machine that is older than the libraries need; undefined if there is none. */
function olderNode(): string | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .map((folder) => join(folder, name))
    .find((program) => {
      try {
        return isTooOld(execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1));
      } catch {
        return false;
      }
    });
}

// Replaces the command line: shows its arguments, and waits on request.
const standIn = `
export async function main([what, ...rest]) {
  if (what === 'show') {
    process.stdout.write(JSON.stringify({ node: process.versions.node, rest }) + '\\n');
    process.exitCode = 7;
  }
  if (what === 'echo') process.stdin.pipe(process.stdout);
  if (what === 'wait') {
    process.on('SIGTERM', () => process.exit(42));
    setInterval(() => undefined, 1000);
    process.stdout.write(process.pid + '\\n');
  }
  if (what === 'fall') process.kill(process.pid, 'SIGKILL');
}`;

/** The entry as a build leaves it: plain JavaScript, two folders below the root. */
async function layOut(folder: string, { withNode }: { withNode: boolean }): Promise<string> {
  const main = join(folder, 'out', 'main');
  await mkdir(join(main, 'hosts', 'cli'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of ['cli', 'hosts/cli/pinned-node']) {
    const source = await readFile(join(root, 'src/main', `${name}.ts`), 'utf8');
    await writeFile(join(main, `${name}.js`), stripTypeScriptTypes(source).replaceAll(".ts'", ".js'"));
  }
  await writeFile(join(main, 'hosts', 'cli', 'main.js'), standIn);
  if (withNode) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return join(main, 'cli.js');
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
/** Resolves when the process and every other holder of its output have ended. */
const closed = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));

describe('an outdated Node', () => {
  it.each(['18.20.8', '20.20.2', '22.18.0'])('includes %s', (version) =>
    expect(isTooOld(version)).toBe(true),
  );
  it.each(['22.19.0', '22.21.1', '24.21.0', '26.0.0'])('does not include %s', (version) =>
    expect(isTooOld(version)).toBe(false),
  );
});

const older = olderNode();
const title = older ? 'under an outdated Node' : 'under an outdated Node (skipped: this machine has none)';

describe.skipIf(!older)(title, () => {
  const folder = useFolders();
  const start = (entry: string, ...args: string[]) => spawn(older ?? '', [entry, ...args], { stdio: 'pipe' });

  it('the command line runs in the pinned Node, with the same arguments and exit code', async () => {
    const child = start(await layOut(await folder(), { withNode: true }), 'show', '--query', '{ a: 1 }');
    const [said, { code }] = await Promise.all([text(child.stdout), closed(child)]);
    expect(JSON.parse(said)).toEqual({
      node: process.versions.node,
      rest: ['--query', '{ a: 1 }'],
    });
    expect(code).toBe(7);
  });

  it('the command line forwards stdin and stdout', async () => {
    const child = start(await layOut(await folder(), { withNode: true }), 'echo');
    child.stdin.end('a secret\n');
    const [said, { code }] = await Promise.all([text(child.stdout), closed(child)]);
    expect({ said, code }).toEqual({ said: 'a secret\n', code: 0 });
  });

  it.skipIf(process.platform === 'win32')('the command line forwards a signal', async () => {
    const child = start(await layOut(await folder(), { withNode: true }), 'wait');
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await closed(child)).toEqual({ code: 42, signal: null });
  });

  it('the pinned Node ends immediately when the outer process is killed with any signal', async () => {
    const child = start(await layOut(await folder(), { withNode: true }), 'wait');
    child.stdout.once('data', () => child.kill('SIGKILL'));
    // The inner process holds the output, which closes when that process ends too.
    await closed(child);
    expect(child.signalCode).toBe('SIGKILL');
  });

  it.skipIf(process.platform === 'win32')(
    'the outer process ends with the signal that ended the inner one',
    async () => {
      const child = start(await layOut(await folder(), { withNode: true }), 'fall');
      expect(await closed(child)).toEqual({ code: null, signal: 'SIGKILL' });
    },
  );

  it('the command line names the required version in one line when the project includes no Node', async () => {
    const child = start(await layOut(await folder(), { withNode: false }), 'show');
    const [said, { code }] = await Promise.all([text(child.stderr), closed(child)]);
    expect(said).toMatch(/^Wellbench needs Node 22\.19 or newer; this is \d+\.\d+\.\d+[^\n]*\n$/);
    expect(code).toBe(2);
  });

  it('the command line reports it as an object with --json', async () => {
    const child = start(await layOut(await folder(), { withNode: false }), 'show', '--json');
    const [said] = await Promise.all([text(child.stderr), closed(child)]);
    expect(JSON.parse(said)).toMatchObject({ code: 'invalid_input', details: { issues: [{}] } });
  });
});
