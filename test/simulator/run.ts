import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { Plan } from './plan.ts';

const result = z.object({
  histories: z.int(),
  failed: z.array(z.object({ seed: z.int(), objection: z.string() })),
  perSecond: z.number(),
  /** Of everything that happened. */
  digest: z.string(),
});
export type SimulatedRun = z.infer<typeof result>;

interface RunOptions {
  readonly from?: number;
  /** Only these, in place of those from one. */
  readonly seeds?: readonly number[];
  /** Maximum number of histories. */
  readonly count?: number;
  /** Time limit, in place of a number. */
  readonly seconds?: number;
  readonly endsAtFailure?: boolean;
  /** Only those of a kind; the seeds of others are skipped. */
  readonly kind?: Plan['kind'] | undefined;
  /** The name of a planted fault. */
  readonly planted?: string;
}

/** Runs histories in a process of their own. @throws Error if it ends without a result */
export async function runHistories(options: RunOptions): Promise<SimulatedRun> {
  const { from = 1, seeds, count = 1000, seconds, endsAtFailure = false, kind, planted } = options;
  const limit = seconds === undefined ? ['--count', String(count)] : ['--for', String(seconds)];
  const kinds = kind === undefined ? [] : ['--kind', kind];
  const end = endsAtFailure ? ['--until-failure'] : [];
  const which = seeds === undefined ? ['--from', String(from)] : ['--seeds', seeds.join(',')];
  const args = ['--json', ...which, ...limit, ...kinds, ...end];
  const child = spawn(process.execPath, [join(import.meta.dirname, 'simulate.ts'), ...args], {
    env: { ...process.env, ...(planted === undefined ? {} : { WELLBENCH_PLANTED: planted }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`the simulator ended without a result: ${problems}`);
  return result.parse(JSON.parse(line));
}
