// Histories of the simulator (test/simulator): `npm run simulate -- --seed N` runs one and tells it.
import { join } from 'node:path';
import { run } from './lib/run.mjs';
import { pinnedNode, root } from './lib/setup.mjs';

const simulator = join(root, 'test', 'simulator', 'simulate.ts');
process.exitCode = await run(pinnedNode(), [simulator, ...process.argv.slice(2)], { cwd: root });
