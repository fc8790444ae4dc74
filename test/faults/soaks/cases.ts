import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SoakEnd, SoakOptions } from './soak.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Runs all unit and browser tests with what `npm test` leaves out: each case of those that are sampled, long tests, and each law
 * `amount` times as often (test/support/sample.ts).
 */
export async function soakCases({ amount = 3 }: SoakOptions): Promise<SoakEnd> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'test.mjs'), '--unit', '--browser'], {
    cwd: root,
    env: { ...process.env, WELLBENCH_LONG: String(amount) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return { sound: code === 0, numbers: { lawRuns: `${amount} times as many` } };
}
