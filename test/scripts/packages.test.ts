import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkPackages, packageProblems } from '../../scripts/lib/packages.mjs';
import { useFolders } from '../support/folders.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = useFolders();

describe('the audit of packages', () => {
  const sound = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' };

  async function locked(name: string, entry: object): Promise<string> {
    const home = await folder();
    const packages = { '': {}, [`node_modules/${name}`]: entry };
    await writeFile(join(home, 'package-lock.json'), JSON.stringify({ packages }));
    return home;
  }

  it.each(['.', 'packaging'])('has no findings for ours in %s', (place) => {
    expect(packageProblems(join(root, place))).toEqual([]);
  });

  it.each([
    ['a license that isn’t allowed', { ...sound, license: 'GPL-3.0' }, 'is under GPL-3.0'],
    ['one of several licenses that all apply', { ...sound, license: '(MIT AND GPL-3.0)' }, 'is under'],
    ['no license', { ...sound, license: undefined }, 'has no license'],
    ['a license for tools only', { ...sound, license: 'MPL-2.0' }, 'is under MPL-2.0'],
    ['an install script', { ...sound, hasInstallScript: true }, 'runs an install script'],
    [
      'another download host',
      { ...sound, resolved: 'https://elsewhere.example/a.tgz' },
      'names a download host',
    ],
    ['no integrity hash', { ...sound, integrity: undefined }, 'has no integrity hash'],
  ])('reports %s', async (_words, entry, complaint) => {
    const home = await locked('@some/one', entry);
    expect(packageProblems(home).join()).toContain(`@some/one ${complaint}`);
    expect(checkPackages(home)).toBe(1);
  });

  it('accepts one of several alternative licenses, and a tool with a license for tools', async () => {
    expect(packageProblems(await locked('a', { ...sound, license: '(GPL-2.0 OR MIT)' }))).toEqual([]);
    expect(packageProblems(await locked('a', { ...sound, license: 'MPL-2.0', dev: true }))).toEqual([]);
  });
});

describe('the search for unused code', () => {
  /** Checks a small checkout with our settings. */
  async function look(files: Record<string, string>, dependencies: object): Promise<string> {
    const home = await folder();
    await cp(join(root, 'knip.json'), join(home, 'knip.json'));
    await symlink(join(root, 'node_modules'), join(home, 'node_modules'), 'junction');
    await writeFile(join(home, 'package.json'), JSON.stringify({ name: 'a', type: 'module', dependencies }));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), text);
    }
    const tool = join(root, 'node_modules', 'knip', 'bin', 'knip.js');
    const answer = await promisify(execFile)(process.execPath, [tool, '--no-progress'], { cwd: home }).catch(
      (error: { stdout: string }) => error,
    );
    return answer.stdout;
  }

  it('finds an unused file, export, and dependency', async () => {
    const found = await look(
      {
        'src/main/index.ts': "import { used } from './a.ts';\nused();\n",
        'src/main/a.ts': 'export const used = (): number => 1;\nexport const spare = 2;\n',
        'src/main/b.ts': 'export const forgotten = 1;\n',
      },
      { zod: '4.6.7' },
    );
    expect(found).toContain('src/main/b.ts');
    expect(found).toContain('spare');
    expect(found).toContain('zod');
    expect(found).not.toContain('used  ');
  });
});
