import { attempt, tell } from './figures.ts';
import type { Observed } from './processes.ts';

/**
 * Tells what runs of a command cost whoever has other work for the machine: memory over that of an idle process, where one
 * is given, and for how long the main thread answered nothing, beside what a process that did nothing saw meanwhile: where
 * both stood still, it was the machine. What the thread worked at a stretch is its own share of it.
 */
export async function tellBurden(of: string, runs: readonly Observed[], idle?: () => Promise<Observed>) {
  const most = (value: (run: Observed) => number): number => {
    if (runs.length === 0) throw new Error('no run came to its end');
    return Math.max(...runs.map(value));
  };
  if (idle)
    await attempt(`${of}, resident memory over idle`, async () => {
      const ours = (most(({ residentBytes }) => residentBytes) - (await idle()).residentBytes) / 1e6;
      tell({ name: `${of}, resident memory over idle`, ours, floor: null, unit: 'MB', goal: '≤ 250' });
    });
  await attempt(`${of}, longest stall of the main process`, async () => {
    const worst = runs.toSorted((a, b) => b.stallMs - a.stallMs)[0];
    tell({
      name: `${of}, longest stall of the main process; floor: of a process that does nothing meanwhile`,
      ours: most(({ stallMs }) => stallMs),
      floor: worst?.idleStallMs ?? null,
      unit: 'ms',
      goal: '≤ 50 ms',
    });
    const ours = most(({ workMs }) => workMs);
    const name = `${of}, most work of the main thread at a stretch`;
    tell({ name, ours, floor: null, unit: 'ms', goal: '≤ 50' });
  });
}
