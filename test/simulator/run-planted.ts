import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { plantedFaults } from './planted.ts';

// Plants each fault, and runs histories until one fails: `--count N` at most, `--only TEXT` those with a text in their name.

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
  },
});
const simulate = join(import.meta.dirname, 'simulate.ts');

interface Find {
  readonly name: string;
  readonly line: string;
  readonly histories: number | null;
}

async function find(name: string): Promise<Find> {
  const child = spawn(
    process.execPath,
    [simulate, '--until-failure', '--from', options.from, '--count', options.count],
    {
      env: { ...process.env, WELLBENCH_PLANTED: name },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const output = await text(child.stdout);
  const found = /^\{.*\}$/m.exec(output)?.[0];
  if (found === undefined) return { name, line: output.trim().slice(-300), histories: null };
  const { seed, histories, objection }: { seed: number; histories: number; objection: string } =
    JSON.parse(found);
  return { name, line: `seed ${seed}: ${objection.slice(0, 110)}`, histories };
}

const waiting = plantedFaults.filter(({ name }) => name.includes(options.only)).toReversed();
const finds: Find[] = [];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let fault = waiting.pop(); fault; fault = waiting.pop()) {
      const result = await find(fault.name);
      finds.push(result);
      console.log(
        `${result.histories === null ? '✗ not found' : '✓'} ${String(result.histories ?? '').padStart(6)}  ${result.name} — ${result.line}`,
      );
    }
  }),
);
const histories = finds.flatMap((one) => one.histories ?? []).toSorted((a, b) => a - b);
console.log(
  `${histories.length} of ${finds.length} planted faults found, in ${histories[histories.length >> 1] ?? 0} histories in the middle`,
);
process.exitCode = histories.length === finds.length ? 0 : 1;
