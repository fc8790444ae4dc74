// Histories of the simulator (test/simulator): `npm run simulate -- --seed N` runs one and tells it.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// The source runs only under the pinned Node.
const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const node = existsSync(pinned) ? pinned : process.execPath;
process.exitCode = await run(
  node,
  [join(root, 'test', 'simulator', 'simulate.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    shell: process.platform === 'win32',
  },
);
