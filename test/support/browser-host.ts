import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { implement } from '@orpc/server';
import { afterEach } from 'vitest';
import type { AppRouter } from '../../src/main/app.ts';
import { createFiles, type Files } from '../../src/main/core/files/files.ts';
import {
  startBrowserHost,
  type BrowserHost,
  type BrowserHostOptions,
} from '../../src/main/hosts/browser/serve.ts';
import { contract } from '../../src/shared/contract/contract.ts';
import { useFolders } from './folders.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with full control over its headers, `Host` and `Origin` included. */
export function ask(url: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Opens the session of a host. @returns its cookie */
export async function signIn(host: BrowserHost): Promise<string> {
  const { headers } = await ask(host.newLink());
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

export interface StartedHost {
  readonly host: BrowserHost;
  readonly origin: string;
  readonly files: Files;
  /** Contains the served folder `renderer`, and `secret.txt` next to it. */
  readonly home: string;
}

/** Starts browser hosts with a page and one call, `settings.change`; they are closed after each test. */
export function useBrowserHosts() {
  const folder = useFolders();
  const open: BrowserHost[] = [];
  afterEach(async () => {
    for (const host of open.splice(0)) await host.close();
  });

  async function start(
    limits: BrowserHostOptions['limits'] = {},
    onOpen?: BrowserHostOptions['onOpen'],
    port = 0,
  ): Promise<StartedHost> {
    const home = await folder();
    const renderer = join(home, 'renderer');
    await mkdir(renderer);
    await writeFile(join(renderer, 'index.html'), '<!doctype html><title>Wellbench</title>');
    await writeFile(join(home, 'secret.txt'), 'not to be served');
    const os = implement(contract);
    // Only the procedures that these tests call; the application tests the whole router.
    const router = {
      settings: {
        change: os.settings.change.handler(() => ({ values: { theme: 'dark' as const }, shortcuts: {} })),
      },
    };
    const files = createFiles();
    const host = await startBrowserHost({
      port,
      router: router as unknown as AppRouter, // a part of it, see above
      files,
      renderer,
      spool: join(home, 'spool'),
      onFault: () => undefined,
      onOpen,
      limits,
    });
    open.push(host);
    const origin = `http://127.0.0.1:${host.port}`;
    return { host, origin, files, home };
  }
  return { start };
}
