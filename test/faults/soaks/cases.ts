import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakEnd } from './soak.ts';

const root = join(import.meta.dirname, '../../..');

/** Runs the tests that take a sample of their cases (test/support/sample.ts) with all of them. */
export async function soakCases(): Promise<SoakEnd> {
  const files = globSync('test/**/*.test.{ts,tsx}', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('sampleOf('),
  );
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...files], {
    cwd: root,
    env: { ...process.env, WELLBENCH_ALL_CASES: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return { sound: code === 0, numbers: { files: files.length } };
}
