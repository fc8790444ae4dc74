import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bundledPackages, licensesText } from '../../scripts/lib/licenses.mjs';
import { isTooOld } from '../../src/main/hosts/cli/pinned-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isBuilt = existsSync(join(root, 'out/renderer/index.html'));
const packageJson = z
  .looseObject({
    version: z.string(),
    bin: z.object({ wellbench: z.string() }),
    engines: z.object({ node: z.string() }),
    dependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const run = promisify(execFile);
const isWindows = process.platform === 'win32';

describe('what the package of npm installs', () => {
  const natives = Object.keys(packageJson.dependencies);

  it('is only what has a native part: the build contains the other libraries', () => {
    expect(natives).toEqual(['@duckdb/node-api', '@napi-rs/keyring', 'fs-native-extensions']);
    expect(packageJson).not.toHaveProperty('optionalDependencies');
  });

  it('needs the Node that its libraries need, and refuses an older one', () => {
    const undici: unknown = JSON.parse(readFileSync(join(root, 'node_modules/undici/package.json'), 'utf8'));
    expect(undici).toMatchObject({ engines: packageJson.engines });
    expect(['22.18.9', '22.19.0'].map(isTooOld)).toEqual([true, false]);
  });
});

describe.skipIf(!isBuilt)('the package of npm', () => {
  let folder = '';
  let installed = '';
  let tarball = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wellbench-npm-'));
    // The build is there, as `npm test` made it.
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    await run(isWindows ? 'npm.cmd' : 'npm', args, { cwd: root, shell: isWindows });
    tarball = join(folder, readdirSync(folder)[0] ?? '');
    await run('tar', ['-xzf', tarball, '-C', folder]);
    installed = join(folder, 'package');
    for (const name of Object.keys(packageJson.dependencies)) {
      await mkdir(join(installed, 'node_modules', name, '..'), { recursive: true });
      await symlink(join(root, 'node_modules', name), join(installed, 'node_modules', name), 'junction');
    }
  }, 30_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the command line, the window, the samples, and the guide, and no sources or tests', () => {
    const paths = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !path.startsWith('node_modules'));
    for (const path of [
      'out/main/cli.js',
      'out/main/worker-csv.js',
      'out/renderer/index.html',
      'resources/samples/drilling-time.csv',
      'docs/guide/README.md',
      'LICENSE',
    ])
      expect(paths).toContain(path);
    expect(paths.filter((path) => /\.(map|ts|tsx)$|^(src|test|scripts|packaging)\b/.test(path))).toEqual([]);
  });

  it('has at most 60 MB', () => {
    expect(readFileSync(tarball).length).toBeLessThan(60_000_000);
  });

  it('starts from its own folder: the command line, SQL, and the window', { timeout: 20_000 }, async () => {
    const cli = join(installed, packageJson.bin.wellbench);
    const env = { ...process.env, WELLBENCH_DATA_DIR: join(folder, 'data'), WELLBENCH_KEYCHAIN: 'off' };
    const [version, sql] = await Promise.all([
      run(process.execPath, [cli, '--version'], { env }),
      run(process.execPath, [cli, 'sql', 'SELECT 6 * 7 AS answer'], { env }),
    ]);
    expect(version.stdout.trim()).toBe(packageJson.version);
    expect(sql.stdout.trim()).toBe('{"answer":42}');
    const serving = spawn(process.execPath, [cli, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      for await (const line of createInterface(serving.stdout)) {
        const { url } = z.object({ url: z.string() }).parse(JSON.parse(line));
        expect((await fetch(url, { redirect: 'manual' })).status).toBe(302);
        break;
      }
    } finally {
      serving.kill();
    }
  });

  it('names the license of each library in it, and only such as may be distributed', () => {
    const packages = bundledPackages(root);
    const text = licensesText(packages);
    for (const { name, version } of packages) expect(text).toContain(`\n${name} ${version} (`);
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'undici', 'zod']));
    const [first] = packages;
    if (!first) throw new Error('the build contains no library');
    expect(() => licensesText([{ ...first, license: 'GPL-3.0' }])).toThrow(/Not to be distributed/);
    const unlicensed = { ...first, license: 'BSD-3-Clause', folder: join(root, 'docs') };
    expect(() => licensesText([unlicensed])).toThrow(/no license file/);
  });
});
