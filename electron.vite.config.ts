import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const from = (path: string) => resolve(import.meta.dirname, path);

/**
 * Three builds: main (Node: Electron's main, the browser host, the command line, workers), preload (one CommonJS
 * file without npm imports, because it is sandboxed) and renderer.
 */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      sourcemap: true,
      target: 'node24',
      rolldownOptions: {
        input: {
          serve: from('src/main/serve.ts'),
          cli: from('src/main/cli.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  renderer: {
    root: from('src/renderer'),
    plugins: [react()],
    build: {
      outDir: from('out/renderer'),
      minify: true,
      target: 'chrome140',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: from('src/renderer/index.html') },
    },
  },
});
