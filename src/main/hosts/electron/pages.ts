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

/** The files of the built renderer by the path they are asked for; made once, at the start. `/` is the page itself. */
export async function listPages(folder: string): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>();
  async function list(below: readonly string[]): Promise<void> {
    for (const entry of await readdir(join(folder, ...below), { withFileTypes: true })) {
      const parts = [...below, entry.name];
      if (entry.isDirectory()) await list(parts);
      // Links are no part of a build; one that was put there is not followed.
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
 * Answers requests to our scheme from the list alone. What is asked for is only looked up, never joined to a folder,
 * so no spelling of a path leads out of it.
 */
export function answerPages(pages: ReadonlyMap<string, Page>) {
  return async ({ method, url }: Pick<Request, 'method' | 'url'>): Promise<Response> => {
    const page = method === 'GET' && isOwnAddress(url) ? pages.get(new URL(url).pathname) : undefined;
    const headers = { ...policyHeaders(), 'Content-Type': page?.type ?? 'text/plain; charset=utf-8' };
    if (!page) return new Response('Nothing found at this address.\n', { status: 404, headers });
    return new Response(await readFile(page.path), { headers });
  };
}
