import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { policyHeaders } from '../policy.ts';
import { isOwnAddress } from './guard.ts';

/** One file of the built renderer. */
export interface Page {
  readonly path: string;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const typeOf = (path: string): string => types[extname(path)] ?? 'application/octet-stream';

/** The files of the built renderer by request path; created once at startup. `/` is the page. */
export async function listPages(folder: string): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>();
  async function list(folders: readonly string[]): Promise<void> {
    for (const entry of await readdir(join(folder, ...folders), { withFileTypes: true })) {
      const parts = [...folders, entry.name];
      if (entry.isDirectory()) await list(parts);
      // A build has no links; one that was added is not followed.
      if (!entry.isFile()) continue;
      const path = join(folder, ...parts);
      pages.set(`/${parts.map(encodeURIComponent).join('/')}`, { path, type: typeOf(path) });
    }
  }
  await list([]);
  const start = pages.get('/index.html');
  if (start) pages.set('/', start);
  return pages;
}

/**
 * Serves requests of the application's scheme from this list only. Paths are looked up, never joined to a
 * folder, so no path can leave it.
 */
export function servePages(pages: ReadonlyMap<string, Page>) {
  return async ({ method, url }: Pick<Request, 'method' | 'url'>): Promise<Response> => {
    const page = method === 'GET' && isOwnAddress(url) ? pages.get(new URL(url).pathname) : undefined;
    const headers = { ...policyHeaders(), 'Content-Type': page?.type ?? 'text/plain; charset=utf-8' };
    if (!page) return new Response('Nothing found at this address.\n', { status: 404, headers });
    return new Response(await readFile(page.path), { headers });
  };
}
