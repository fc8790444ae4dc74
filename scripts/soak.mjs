// Tries for long what the tests try for moments, all of it or what is named (test/faults/soaks):
//   node scripts/soak.mjs [uploads …] [--amount N] [--seed 1000]
// uploads: kills the upload at random moments while the service fails; N kills, 100 unless said otherwise.
// exports: the same with exports, whose bytes must be those of an undisturbed run; N kills, 50 unless said otherwise.
// fuzz: sends hostile calls of the whole contract to the application; N calls, 50,000 unless said otherwise.
// rows: exports and uploads N rows with the built command line, 10,000,000 unless said otherwise (5 GB of memory).
// Ends with 1 when something was not sound: a row lost, or stored twice, a file that differs, or a call that did harm.
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
