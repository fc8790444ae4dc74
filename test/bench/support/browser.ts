import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { createServer, type PluginOption } from 'vite';

/** The Chromium of the end-to-end tests. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['WELLBENCH_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });

export interface BarePage {
  /** What the page does; it imports what a source of the window could. */
  readonly script: string;
  /** The style of the one element in it, `#place`. */
  readonly place: string;
  /** Packages that are made ready before the page is asked for. */
  readonly include: readonly string[];
  readonly plugins?: PluginOption[];
}

/** Serves a page with nothing but what is measured. @returns its address, and how to end serving it */
export async function serveBare({ script, place, include, plugins = [] }: BarePage) {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
  const server = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '../../../src/renderer'),
    cacheDir: join(folder, 'cache'),
    logLevel: 'error',
    plugins: [
      ...plugins,
      {
        name: 'bench',
        resolveId: (id) => (id === '/bench.js' ? '\0bench.js' : null),
        load: (id) => (id === '\0bench.js' ? script : null),
        configureServer: (made) =>
          void made.middlewares.use('/bench.html', (_request, response) => {
            response.setHeader('Content-Type', 'text/html');
            response.end(
              `<div id="place" style="${place}"></div><script type="module" src="/bench.js"></script>`,
            );
          }),
      },
    ],
    server: { port: 0, host: '127.0.0.1', fs: { strict: false }, hmr: false },
    optimizeDeps: { include: [...include] },
  });
  await server.listen();
  return {
    url: `${server.resolvedUrls?.local[0] ?? ''}bench.html`,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
