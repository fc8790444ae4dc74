// Checks a packaged application and prints its size:
//   node scripts/packed.mjs <folder with app.asar>
// Exit code 1: a file is missing, doesn't belong there, or can't be loaded from its place.
import { say } from './lib/run.mjs';
import { lookAtPacked } from './lib/packed.mjs';

const [resources = ''] = process.argv.slice(2);
const { problems, sizes, archiveBytes } = lookAtPacked(resources);
for (const [part, bytes] of Object.entries(sizes))
  say(`${(bytes / 1000).toFixed(0).padStart(8)} kB  ${part}`);
say(`${(archiveBytes / 1000).toFixed(0).padStart(8)} kB  the archive`);
for (const problem of problems) say(`✗ ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
