import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FuzzReport } from './fuzz.ts';
import { digestOf } from './ground.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Runs the fuzz in a process that may write only below its data folder, and read there and in this checkout; a
 * folder next to the data folder must be unchanged afterwards.
 */
export async function runFuzz(
  calls: number,
  seed: number,
  tell: (line: string) => void = () => undefined,
): Promise<FuzzReport> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'wellbench-fuzz-')));
  const outside = join(folder, 'outside');
  await mkdir(join(folder, 'data'));
  await mkdir(outside);
  await writeFile(join(outside, 'keep.txt'), 'not to be touched, nor read');
  const before = await digestOf(outside);
  try {
    const child = spawn(
      process.execPath,
      [
        '--permission',
        '--disable-warning=SecurityWarning',
        `--allow-fs-write=${join(folder, 'data')}`,
        ...[join(folder, 'data'), root, '/etc/alpine-release'].map((path) => `--allow-fs-read=${path}`),
        '--allow-worker',
        // The locks of the operating system; no addon is built from received data.
        '--allow-addons',
        '--no-memory-protection-keys',
        fileURLToPath(new URL('../fuzz.ts', import.meta.url)),
        '--calls',
        String(calls),
        '--seed',
        String(seed),
        '--folder',
        folder,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    createInterface({ input: child.stderr }).on('line', tell);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    if (!text.trim()) throw new Error(`The fuzz ended with ${code} and no report (seed ${seed}).`);
    const report = JSON.parse(text) as FuzzReport;
    const same = (await digestOf(outside)) === before;
    return same
      ? report
      : { ...report, problems: [...report.problems, 'a file outside the data folder was touched'] };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
