import { attempt, printFigure } from './figures.ts';
import type { Observed } from './processes.ts';

/**
 * Reports how much runs of a command affect other work on the machine: memory over that of an idle process, if
 * one is given, and how long the main thread stalled, next to what an idle process measured meanwhile: if
 * both stalled, the cause was the machine. The thread's longest task is its own share of it.
 */
export async function printCost(of: string, runs: readonly Observed[], idle?: () => Promise<Observed>) {
  const most = (value: (run: Observed) => number): number => {
    if (runs.length === 0) throw new Error('no run came to its end');
    return Math.max(...runs.map(value));
  };
  if (idle)
    await attempt(`${of}, resident memory over idle`, async () => {
      const ours = (most(({ residentBytes }) => residentBytes) - (await idle()).residentBytes) / 1e6;
      printFigure({ name: `${of}, resident memory over idle`, ours, floor: null, unit: 'MB', goal: '≤ 250' });
    });
  await attempt(`${of}, longest stall of the main process`, async () => {
    const worst = runs.toSorted((a, b) => b.stallMs - a.stallMs)[0];
    printFigure({
      name: `${of}, longest stall of the main process; floor: of a process that does nothing meanwhile`,
      ours: most(({ stallMs }) => stallMs),
      floor: worst?.idleStallMs ?? null,
      unit: 'ms',
      goal: '≤ 50 ms',
    });
    const ours = most(({ workMs }) => workMs);
    const name = `${of}, most work of the main thread at a stretch`;
    printFigure({ name, ours, floor: null, unit: 'ms', goal: '≤ 50' });
  });
}
