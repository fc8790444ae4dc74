import { availableParallelism } from 'node:os';
import { plantedFaults } from '../../simulator/planted.ts';
import { runHistories } from '../../simulator/run.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const usualHistories = 20_000;

/** Plants each fault, and runs histories until the oracle objects to one. */
export async function soakPlanted({
  amount: count = usualHistories,
  seed,
  tell,
}: SoakOptions): Promise<SoakEnd> {
  const waiting = [...plantedFaults].reverse();
  const needed: number[] = [];
  const missed: string[] = [];
  async function next(): Promise<void> {
    for (let fault = waiting.pop(); fault; fault = waiting.pop()) {
      const { name, kind } = fault;
      const { failed } = await runHistories({ from: seed, count, endsAtFailure: true, kind, planted: name });
      const [first] = failed;
      // Seeds of other kinds count too: which kind finds a fault isn't known before.
      const histories = first ? first.seed - seed + 1 : count;
      if (first) needed.push(histories);
      else missed.push(name);
      tell(
        first
          ? `${name}: seed ${first.seed}, after ${histories} histories: ${first.objection}`
          : `${name}: not found in ${histories} histories`,
      );
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  needed.sort((a, b) => a - b);
  const numbers = {
    planted: plantedFaults.length,
    found: needed.length,
    median: needed[needed.length >> 1],
    most: needed.at(-1),
    missed,
  };
  return { sound: missed.length === 0, numbers };
}
