import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/fuzz.ts';

/**
 * `--calls N --folder F [--seed N]`: sends so many calls, random, mutated and hostile, to the real application, which
 * may write below F/data alone; prints a report as JSON and ends with 1 when something was not as it has to be.
 * To be run under Node's permission model (support: fuzz/run.ts), which refuses what it must not touch.
 */
const { values } = parseArgs({
  options: { calls: { type: 'string' }, folder: { type: 'string' }, seed: { type: 'string' } },
});
const folder = values.folder ?? '';
const seed = Number(values.seed ?? 1);
const report = await fuzz({
  calls: Number(values.calls ?? 2000),
  seed,
  dataFolder: join(folder, 'data'),
  progress: (sentence) => process.stderr.write(`${sentence}\n`),
});
process.stdout.write(`${JSON.stringify({ seed, ...report })}\n`);
process.exitCode = report.problems.length > 0 ? 1 : 0;
