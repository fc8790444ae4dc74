import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `--calls N --folder F [--seed N]`: sends this many random, mutated, and hostile calls to the real application,
 * which may write only below F/data; prints a report as JSON and exits with 1 after a violation. Must run under
 * Node's permission model (fuzz/run.ts), which denies all other access.
 */
if (process.env['WELLBENCH_TEST_CLI'] !== undefined) await import('./fuzz/hooks.ts');
const { fuzz } = await import('./fuzz/fuzz.ts');

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
