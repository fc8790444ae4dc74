import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz/run.ts';

/** `--calls N [--seed N]`: sends so many hostile calls to one application, and says what came of them. */
const { values } = parseArgs({ options: { calls: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? 1);
const report = await runFuzz(Number(values.calls ?? 50_000), seed, false);
process.stdout.write(`${JSON.stringify({ seed, ...report }, null, 2)}\n`);
if (report.problems.length > 0) process.exitCode = 1;
