import { describe, expect, it, afterEach, vi } from 'vitest';
import { createUpdates, updaterOf } from '../../../../src/main/hosts/electron/updates.ts';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import Module from 'node:module';
import { join } from 'node:path';
import { useFolders } from '../../../support/folders.ts';
import { useServers } from '../../../support/servers.ts';

interface Given {
  /** The results of each check in order; the last one repeats. */
  readonly found?: readonly (string | null | Error)[];
  readonly fetching?: () => Promise<void>;
  readonly answer?: boolean;
  readonly online?: boolean;
}

function updatesWith({ found = [null], fetching, answer = true, online = true }: Given = {}) {
  const seen = { looks: 0, fetched: 0, asked: [] as string[], told: [] as string[], logged: [] as string[] };
  const updates = createUpdates({
    load: async () => ({
      async check() {
        const now = found[Math.min(seen.looks, found.length - 1)] ?? null;
        seen.looks += 1;
        if (now instanceof Error) throw now;
        return now;
      },
      async fetch() {
        await fetching?.();
        seen.fetched += 1;
      },
    }),
    isOnline: () => online,
    confirmDownload: async (version) => {
      seen.asked.push(version);
      return answer;
    },
    showMessage: (title) => seen.told.push(title),
    log: (sentence) => seen.logged.push(sentence),
  });
  return { updates, seen };
}

describe('checking for updates', () => {
  it('downloads nothing without consent, and reports that the update is installed on quitting', async () => {
    const { updates, seen } = updatesWith({ found: ['2.0.0'] });
    await updates.check();
    expect(seen).toMatchObject({ asked: ['2.0.0'], fetched: 1 });
    expect(seen.told).toEqual(['Wellbench 2.0.0 is downloading', 'Wellbench 2.0.0 is ready']);
    // The update is downloaded: there is no further prompt.
    await updates.check();
    expect(seen).toMatchObject({ looks: 1, asked: ['2.0.0'], fetched: 1 });
  });

  it('prompts once for a declined version, but again on request, and for the next version', async () => {
    const { updates, seen } = updatesWith({ found: ['2.0.0', '2.0.0', '2.0.0', '2.1.0'], answer: false });
    await updates.check();
    await updates.check();
    expect(seen.asked).toEqual(['2.0.0']);
    await updates.checkOnRequest();
    await updates.check();
    expect(seen.asked).toEqual(['2.0.0', '2.0.0', '2.1.0']);
    expect(seen.fetched).toBe(0);
  });

  it('shows nothing without a request if there is no update, no network, or an error; the log has the error', async () => {
    for (const options of [{}, { online: false }, { found: [new Error('no such host')] }]) {
      const { updates, seen } = updatesWith(options);
      await updates.check();
      expect(seen.told).toEqual([]);
      expect(seen.logged).toHaveLength('found' in options ? 1 : 0);
    }
  });

  it.each([
    ['no newer version', {}, 'Wellbench is up to date'],
    ['no network', { online: false }, 'No network connection'],
    ['an error', { found: [new Error('no such host')] }, 'No update'],
  ])('reports %s to the user who requested the check', async (_what, options, title) => {
    const { updates, seen } = updatesWith(options);
    await updates.checkOnRequest();
    expect(seen.told).toEqual([title]);
  });

  it('can be retried after a failed download', async () => {
    let tries = 0;
    const fetching = async () => {
      tries += 1;
      if (tries === 1) throw new Error('sha512 checksum mismatch');
    };
    const { updates, seen } = updatesWith({ found: ['2.0.0'], fetching });
    await updates.check();
    expect(seen.fetched).toBe(0);
    await updates.checkOnRequest();
    expect(seen.fetched).toBe(1);
    expect(seen.told.at(-1)).toBe('Wellbench 2.0.0 is ready');
  });

  it('reports the result of a background check to the user who requests one meanwhile', async () => {
    const { updates, seen } = updatesWith();
    await Promise.all([updates.check(), updates.checkOnRequest()]);
    expect(seen).toMatchObject({ looks: 1, told: ['Wellbench is up to date'] });
    await updates.check();
    expect(seen.told).toHaveLength(1);
  });

  it('runs one check at a time', async () => {
    const { updates, seen } = updatesWith({ found: ['2.0.0'] });
    await Promise.all([updates.check(), updates.checkOnRequest(), updates.check()]);
    expect(seen).toMatchObject({ looks: 1, fetched: 1 });
  });
});

const folder = useFolders();
const serve = useServers();

/** What the library requests from Electron, with Node's requests in place of Chromium's. */
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

// The library itself over a real feed, in the only form that runs without Windows or macOS; its behavior there needs
// the real runtime.
describe.runIf(process.platform === 'linux')('the update library', () => {
  it('finds newer versions, rejects files that differ from the feed, and keeps the others', async () => {
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
    expect(await updater?.check()).toBe('0.2.0');
    expect(feed.seen.map(({ url }) => url.pathname)).toEqual(['/latest-linux.yml']);
    await expect(updater?.fetch()).rejects.toThrow(/sha512/);
    sent = promised;
    await updater?.fetch();
    expect(await readdir(join(home, 'cache', 'wellbench-updater', 'pending'))).toContain('w.AppImage');
  });
});

describe('the update feed', () => {
  it.each(['win32', 'darwin'] as const)('exists only in a package with a feed, on %s', async (system) => {
    const resources = await folder();
    expect(updaterOf({ isPackaged: true }, resources, system)).toBeNull();
    expect(updaterOf({ isPackaged: true }, undefined, system)).toBeNull();
    await writeFile(join(resources, 'app-update.yml'), 'provider: generic\n');
    expect(updaterOf({ isPackaged: false }, resources, system)).toBeNull();
    expect(updaterOf({ isPackaged: true }, resources, system)).not.toBeNull();
  });

  it('doesn’t exist on Linux, which can’t verify updates', async () => {
    const resources = await folder();
    await writeFile(join(resources, 'app-update.yml'), 'provider: generic\n');
    expect(updaterOf({ isPackaged: true }, resources, 'linux')).toBeNull();
  });
});
