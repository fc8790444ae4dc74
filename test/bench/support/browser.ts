import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { build, preview, type PluginOption } from 'vite';

const root = join(import.meta.dirname, '../../..');
const renderer = join(root, 'src', 'renderer');

/** The Chromium of the end-to-end tests. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['WELLBENCH_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });

/**
 * Works in a page, and rejects with the page's first error: a measurement that waits for what failed would never end.
 */
export async function failsOnErrors<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const failed = Promise.withResolvers<never>();
  page.once('pageerror', failed.reject);
  return Promise.race([work(), failed.promise]);
}

export interface BarePage {
  /** The page's script. It imports packages, modules by their paths, and styles of the window from `/` as its folder. */
  readonly script: string;
  /** The style of the page's only element, `#place`. */
  readonly place: string;
  readonly plugins?: PluginOption[];
  /** Files next to the page, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Serves a page with only the measured code, built like the window: development checks of a library would be measured
 * otherwise.
 * @returns its address, and a function that stops serving it
 */
export async function serveBare({ script, place, plugins = [], files = {} }: BarePage) {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
  await mkdir(join(folder, 'public'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'public', name), text);
  await writeFile(join(folder, 'bench.js'), script);
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><title>Bench</title><body style="margin:0"><div id="place" style="${place}"></div><script type="module" src="./bench.js"></script>`,
  );
  const settings = { root: folder, configFile: false, logLevel: 'error' } as const;
  await build({
    ...settings,
    plugins: [...plugins, fromTheProject],
    worker: { format: 'es', plugins: () => [fromTheProject] },
    build: { target: 'esnext', chunkSizeWarningLimit: Infinity },
  });
  const server = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1' } });
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The page is in its own folder: packages, and paths that start with `/`, are the project's. */
const fromTheProject: PluginOption = {
  name: 'from-the-project',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (/^\/(?:api|features|styles|ui|words)\//.test(id)) return this.resolve(join(renderer, id), importer);
    if (/^[.\0/]/.test(id) || importer?.startsWith(root)) return null;
    return this.resolve(id, join(renderer, 'main.tsx'), { skipSelf: true });
  },
};
