import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { callWith } from './call-host.ts';
import { writeSettings, startHost, type Host } from './host.ts';

/** A browser host that the tests of a worker share, each starting without stored data. */
export interface SharedHost {
  /** Signs a browser in. */
  signIn(context: BrowserContext): Promise<Host>;
  /**
   * Ends jobs and deletes everything that a test may have stored: connections, settings, tabs, queries, history,
   * templates.
   */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Data folders that the host uses while it runs. */
const openFolders = new Set(['jobs', 'locks', 'logs', 'catalogue']);

/** Starts the host and redeems its one-time token. */
export async function startSharedHost(): Promise<SharedHost> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'wellbench-e2e-'));
  const host = await startHost({ dataFolder });
  const { origin, hostname } = new URL(host.url);
  const redeemed = await fetch(host.url, { redirect: 'manual' });
  const cookie = (redeemed.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const [name = '', value = ''] = cookie.split('=');
  const signedIn: Host = { ...host, url: `${origin}/` };
  return {
    async signIn(context) {
      const session = { name, value, domain: hostname, path: '/', httpOnly: true } as const;
      await context.addCookies([{ ...session, sameSite: 'Strict' }]);
      return signedIn;
    },
    async reset() {
      await callWith(cookie, signedIn, async (api) => {
        for (const { id: job } of (await api.jobs.list({})).jobs) {
          // A stopped job can't be canceled; a running one can't be discarded.
          await api.jobs.cancel({ job }).catch(() => undefined);
          await api.jobs.discard({ job });
        }
        for (const { id: connection } of await api.connections.list({}))
          await api.connections.remove({ connection });
      });
      for (const entry of await readdir(dataFolder))
        if (!openFolders.has(entry))
          await rm(join(dataFolder, entry), { recursive: true, force: true, maxRetries: 3 });
      await writeSettings(dataFolder);
    },
    async close() {
      await host.close();
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
