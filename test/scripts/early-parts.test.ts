import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { earlyParts } from '../../scripts/lib/build-plugins.mjs';
import { useFolders } from '../support/folders.ts';

const makeFolder = useFolders();

it('puts the socket before the code of the window, and asks for the font at once', async () => {
  const folder = await makeFolder();
  const files = {
    'index.html': '<html><head><script type="module" src="./main.ts"></script></head></html>',
    'main.ts': `import { socket } from './early-socket.ts'; import './main.css'; console.log(socket);`,
    'early-socket.ts': 'export const socket = Date.now();',
    'main.css': `@font-face { font-family: Inter; src: url('./inter-latin-wght-normal.woff2'); }`,
    'inter-latin-wght-normal.woff2': 'w'.repeat(5000),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const built = await build({
    root: folder,
    base: './',
    logLevel: 'silent',
    configFile: false,
    plugins: [earlyParts()],
    build: {
      write: false,
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'early', test: /early-socket/ }] } },
      },
    },
  });
  if (!('output' in built)) throw new Error('not one build');
  const page = built.output.find(({ fileName }) => fileName === 'index.html');
  const html = String(page && 'source' in page && page.source);
  const scripts = [...html.matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, address]) => address);
  expect(scripts).toEqual([
    expect.stringMatching(/^\.\/assets\/early-/),
    expect.stringMatching(/^\.\/assets\/index-/),
  ]);
  expect(html).toMatch(/<link rel="preload" as="font" [^>]*href="\.\/assets\/inter-latin-wght-normal-/);
});
