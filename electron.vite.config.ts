import { join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { cssLayers, earlyParts, listBundledPackages } from './scripts/lib/build-plugins.mjs';
import { workers } from './src/main/world/workers.ts';

const from = (path: string) => resolve(import.meta.dirname, path);

/** Worker threads are started by the address of their own file, `worker-<name>.js` beside the rest of main. */
const workerEntries = Object.fromEntries(
  Object.entries(workers).map(([name, path]) => [`worker-${name}`, from(join('src/main/world', path))]),
);

// Workers have builds of their own within that of the window.
const inRenderer = listBundledPackages(from('out/bundled-renderer.json'));

/**
 * Three builds: main (Node: Electron's main, the browser host, the command line, workers), preload (one CommonJS
 * file without npm imports, because it is sandboxed) and renderer. Libraries go into the build, which makes a start a third
 * faster, except those with a native part, the `dependencies` of package.json.
 */
export default defineConfig({
  main: {
    plugins: [listBundledPackages(from('out/bundled-main.json'))],
    build: {
      outDir: 'out/main',
      // Packages contain all of it.
      emptyOutDir: true,
      sourcemap: true,
      target: 'node24',
      rolldownOptions: {
        // Without comments that name the paths of this machine, so that the same sources give the same bytes.
        experimental: { attachDebugInfo: 'none' },
        input: {
          index: from('src/main/index.ts'),
          serve: from('src/main/serve.ts'),
          cli: from('src/main/cli.ts'),
          ...workerEntries,
        },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunk-[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // Sandboxed, it can load nothing but `electron`: everything it imports is built in.
      externalizeDeps: false,
      isolatedEntries: true,
      rolldownOptions: {
        input: { index: from('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: from('src/renderer'),
    plugins: [react(), cssLayers(from('src/renderer')), earlyParts(), inRenderer],
    worker: { plugins: () => [inRenderer] },
    build: {
      outDir: from('out/renderer'),
      // Monaco is one chunk of 4 MB, loaded when it is first shown; what the first screen weighs is a check of its own.
      chunkSizeWarningLimit: 5000,
      minify: true,
      target: 'chrome140',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: from('src/renderer/index.html'),
        output: {
          codeSplitting: {
            groups: [
              { name: 'early', test: /renderer.api.(early|own)-socket/, priority: 1 },
              // What the first screen needs is one file, whoever shares parts of it later: a browser fetches six at a
              // time from one host, and forty small ones took as long as all else before the first screen.
              { name: 'first', tags: ['$initial'] },
            ],
          },
        },
      },
    },
  },
});
