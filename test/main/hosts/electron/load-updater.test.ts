import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import Module from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { updaterOf } from '../../../../src/main/hosts/electron/load-updater.ts';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

const folder = useFolders();
const serve = useServers();

/** What the library asks of Electron, with Node's requests in place of Chromium's. */
function electronFor(home: string) {
  const app = Object.assign(new EventEmitter(), {
    isPackaged: true,
    whenReady: async () => undefined,
    getName: () => 'wellbench',
    getVersion: () => '0.1.0',
    getAppPath: () => join(home, 'resources', 'app.asar'),
    getPath: () => join(home, 'user'),
  });
  const net = {
    request({ session: _session, redirect: _redirect, ...options }: Record<string, unknown>) {
      return Object.assign(request(options), { followRedirect: () => undefined });
    },
  };
  return { app, net, session: { fromPartition: () => ({}) } };
}

const loader = Module as unknown as { _load: (id: string, ...rest: unknown[]) => unknown };

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

// The library itself over a real feed, in the one form of it that runs without Windows or macOS; what it does there is its
// own, and the true runtime's, to show.
describe.runIf(process.platform === 'linux')('the library for updates', () => {
  it('finds what is newer, refuses what is not what the feed promised, and keeps what is', async () => {
    const home = await folder();
    const resources = join(home, 'resources');
    await mkdir(resources);
    const promised = Buffer.from('a new application '.repeat(5000));
    const sha512 = createHash('sha512').update(promised).digest('base64');
    const file = `url: w.AppImage\n    sha512: ${sha512}\n    size: ${promised.length}`;
    let sent = Buffer.alloc(promised.length);
    const feed = await serve.http(({ url }, response) => {
      if (url.pathname === '/latest-linux.yml')
        response.end(`version: 0.2.0\nfiles:\n  - ${file}\npath: w.AppImage\nsha512: ${sha512}\n`);
      else response.end(sent);
      return undefined;
    });
    await writeFile(
      join(resources, 'app-update.yml'),
      `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: wellbench-updater\n`,
    );
    await writeFile(join(home, 'old.AppImage'), 'old');
    vi.stubEnv('APPIMAGE', join(home, 'old.AppImage'));
    vi.stubEnv('XDG_CACHE_HOME', join(home, 'cache'));
    Object.assign(process, { resourcesPath: resources });
    const load = loader._load;
    vi.spyOn(loader, '_load').mockImplementation((id, ...rest) =>
      id === 'electron' ? electronFor(home) : load.call(Module, id, ...rest),
    );

    const updater = await updaterOf({ isPackaged: true }, resources, 'win32')?.();
    expect(await updater?.look()).toBe('0.2.0');
    expect(feed.seen.map(({ url }) => url.pathname)).toEqual(['/latest-linux.yml']);
    await expect(updater?.fetch()).rejects.toThrow(/sha512/);
    sent = promised;
    await updater?.fetch();
    expect(await readdir(join(home, 'cache', 'wellbench-updater', 'pending'))).toContain('w.AppImage');
  });
});

describe('where updates are looked for', () => {
  it.each(['win32', 'darwin'] as const)(
    'is nowhere but in what was packed with a feed, on %s',
    async (system) => {
      const resources = await folder();
      expect(updaterOf({ isPackaged: true }, resources, system)).toBeNull();
      expect(updaterOf({ isPackaged: true }, undefined, system)).toBeNull();
      await writeFile(join(resources, 'app-update.yml'), 'provider: generic\n');
      expect(updaterOf({ isPackaged: false }, resources, system)).toBeNull();
      expect(updaterOf({ isPackaged: true }, resources, system)).not.toBeNull();
    },
  );

  it('is nowhere on Linux, which can’t tell who made an update', async () => {
    const resources = await folder();
    await writeFile(join(resources, 'app-update.yml'), 'provider: generic\n');
    expect(updaterOf({ isPackaged: true }, resources, 'linux')).toBeNull();
  });
});
