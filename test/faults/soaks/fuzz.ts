import { runFuzz } from '../fuzz/run.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualCalls = 50_000;

/** Sends random, mutated, and hostile calls of the whole contract to one application. */
export async function soakFuzz({ amount = usualCalls, seed, tell }: SoakOptions): Promise<SoakEnd> {
  const report = await runFuzz(amount, seed, tell);
  return { sound: report.problems.length === 0, numbers: { seed, ...report } };
}
