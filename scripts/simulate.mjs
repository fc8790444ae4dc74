// Histories of the simulator (test/simulator): `npm run simulate -- --seed N` runs one and tells it.
import { runProgram } from './lib/setup.mjs';

process.exitCode = await runProgram('test/simulator/simulate.ts');
