import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config, { updateFeed } from '../../electron-builder.config.mjs';
import { fuses } from '../../scripts/lib/fuses.mjs';
import { listArchive, lookAtPacked, packedProblems, workers } from '../../scripts/lib/packed.mjs';
import { linkScheme, savedExtension } from '../../src/shared/saved/sharing.ts';
import { useFolders } from '../support/folders.ts';

const folder = useFolders();

const keyring = 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.node';
const locks = 'node_modules/fs-native-extensions/prebuilds/linux-x64/a.node';
const duckdb = 'node_modules/@duckdb/node-bindings-linux-x64/duckdb.node';
const sound = [
  'package.json',
  'out/main/index.js',
  ...workers.map((name) => `out/main/worker-${name}.js`),
  'out/preload/index.cjs',
  'out/renderer/index.html',
  keyring,
  locks,
  duckdb,
];
const asFiles = (paths: readonly string[]) =>
  paths.map((path) => ({ path, bytes: 10, unpacked: path.endsWith('.node') }));

interface Entry {
  files?: Record<string, Entry>;
  size?: number;
  unpacked?: boolean;
}

/** Writes an archive like Electron's tool: four lengths, the index, the files. */
async function archive(paths: readonly string[]): Promise<string> {
  const top: { files: Record<string, Entry> } = { files: {} };
  for (const { path, unpacked } of asFiles(paths)) {
    let here: Entry = top;
    for (const part of dirname(path) === '.' ? [] : dirname(path).split('/'))
      here = (here.files ??= {})[part] ??= { files: {} };
    (here.files ??= {})[path.split('/').at(-1) ?? ''] = { size: 10, unpacked };
  }
  const index = Buffer.from(JSON.stringify(top));
  const lengths = Buffer.alloc(16);
  [4, index.length + 8, index.length + 4, index.length].forEach((n, at) => lengths.writeUInt32LE(n, at * 4));
  const home = await folder();
  await writeFile(join(home, 'app.asar'), Buffer.concat([lengths, index]));
  return home;
}

describe('the packed application', () => {
  it('has each thread and process that the application starts', () => {
    // Read as text, because tests have other workers in place of these.
    const source = readFileSync(new URL('../../src/main/world/workers.ts', import.meta.url), 'utf8');
    const started = [...source.matchAll(/^ {2}(\w+): '/gm)].map(([, name]) => name);
    expect(started).toHaveLength(8);
    expect(new Set(workers)).toEqual(new Set(started));
    for (const missing of sound.filter((path) => path.includes('/worker-')))
      expect(packedProblems(asFiles(sound.filter((path) => path !== missing)))).toHaveLength(1);
  });

  it('is read from the archive', async () => {
    const home = await archive(sound);
    expect(
      listArchive(join(home, 'app.asar'))
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...sound].sort());
  });

  it('is valid when every file is in it, and native files are next to it', async () => {
    const home = await archive(sound);
    expect(lookAtPacked(home).problems).toHaveLength(4);
    await mkdir(join(home, 'python'));
    await writeFile(join(home, 'python/wellbench.py'), '');
    for (const path of [keyring, locks, duckdb]) {
      await mkdir(join(home, 'app.asar.unpacked', dirname(path)), { recursive: true });
      await writeFile(join(home, 'app.asar.unpacked', path), '');
    }
    expect(lookAtPacked(home).problems).toEqual([]);
  });

  it.each([
    ['a source', 'src/main/index.ts'],
    ['a source map', 'out/main/index.js.map'],
    ['a test', 'test/walls.test.js'],
    ['type declarations', 'out/types/main.d.ts'],
    ['a tool', 'node_modules/vite/index.js'],
    ['a bundled library', 'node_modules/zod/index.js'],
    ['credentials of a checkout', '.env'],
  ])('is invalid with %s in it', (_words, path) => {
    expect(packedProblems(asFiles([...sound, path])).join()).toContain(path);
  });

  it('is invalid with a native file inside, with a missing file, or above its maximum size', () => {
    const within = asFiles(sound).map((file) => ({ ...file, unpacked: false }));
    expect(packedProblems(within)).toHaveLength(3);
    expect(packedProblems(asFiles(sound.slice(1)))).toHaveLength(1);
    expect(packedProblems(asFiles(sound).map((file) => ({ ...file, bytes: 9e6 })))).toHaveLength(1);
  });
});

describe('the installers', () => {
  it.each(['linux', 'win32', 'darwin'] as const)(
    'look for updates only when a feed is configured, on %s',
    (platform) => {
      const url = 'https://updates.example/wellbench';
      const signed = { WELLBENCH_UPDATE_FEED: url, CSC_LINK: 'a certificate' };
      expect(updateFeed({}, platform)).toBeNull();
      // Linux can't verify the publisher of a download: it has no feed, signed or not.
      expect(updateFeed(signed, platform)).toEqual(
        platform === 'linux' ? null : { provider: 'generic', url },
      );
      expect(() =>
        updateFeed({ ...signed, WELLBENCH_UPDATE_FEED: 'http://updates.example' }, platform),
      ).toThrow(/https/);
      const unsigned = () => updateFeed({ WELLBENCH_UPDATE_FEED: url }, platform);
      if (platform === 'linux') expect(unsigned()).toBeNull();
      else expect(unsigned).toThrow(/signed/);
    },
  );

  it('include the Python module as a file that users can copy', () => {
    expect(config.extraResources).toHaveLength(1);
    for (const { from, to } of config.extraResources)
      expect(readdirSync(from).map((name) => `${to}/${name}`)).toContain('python/wellbench.py');
  });

  it('are for one user, with the archive that the fuses require, and publish nothing', () => {
    expect(config.nsis).toMatchObject({ perMachine: false });
    expect(config).toMatchObject({ asar: true, publish: null, npmRebuild: false });
    expect(config.mac.target).toEqual([{ target: 'dmg', arch: ['universal'] }]);
    expect(config.linux.target).toEqual(['AppImage']);
  });

  it('open files of saved queries and links to one, and nothing else', () => {
    expect(config.fileAssociations.map(({ ext }) => ext)).toEqual([savedExtension]);
    expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual([linkScheme]);
  });

  it('disable every switch that could make the application run other code', () => {
    expect(fuses).toMatchObject({
      RunAsNode: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      GrantFileProtocolExtraPrivileges: false,
    });
    expect(config.afterPack.name).toBe('setFuses');
  });
});

describe('the signature on macOS', () => {
  it('allows compiled JavaScript, and neither libraries of others nor unsigned memory', () => {
    const { mac } = config;
    expect(mac.hardenedRuntime).toBe(true);
    for (const file of [mac.entitlements, mac.entitlementsInherit]) {
      const keys = [...readFileSync(file, 'utf8').matchAll(/<key>([^<]*)<\/key>\s*<(\w+)\/>/g)];
      expect(keys.map(([, key, value]) => [key, value])).toEqual([
        ['com.apple.security.cs.allow-jit', 'true'],
      ]);
    }
  });
});
