// Kills uploads at random moments while the service fails, and says what became of their rows:
//   node scripts/soak.mjs [--kills 100] [--seed 1000]
// Ends with 1 when a row was lost or stored twice.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// The source runs under the pinned Node alone.
const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const node = existsSync(pinned) ? pinned : process.execPath;
process.exitCode = await run(node, [join(root, 'test', 'faults', 'soak.ts'), ...process.argv.slice(2)], {
  cwd: root,
  shell: process.platform === 'win32',
});
