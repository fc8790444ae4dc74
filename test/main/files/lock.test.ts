import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLocked, takeLock } from '../../../src/main/files/lock.ts';
import { useFolders } from '../../support/folders.ts';

const lockModule = new URL('../../../src/main/files/lock.ts', import.meta.url).href;

/** Another process that takes the lock, says whether it got it, and then waits to be killed. */
async function otherProcess(path: string) {
  const code = `const { takeLock } = await import(${JSON.stringify(lockModule)});
    console.log(takeLock(${JSON.stringify(path)}) ? 'held' : 'refused'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said).trim() };
}

describe("a job's lock", () => {
  const folder = useFolders();

  it('is held once in one process', async () => {
    const path = join(await folder(), 'lock');
    const lock = takeLock(path);
    expect(lock).not.toBeNull();
    expect(takeLock(path)).toBeNull();
    lock?.release();
    expect(isLocked(path)).toBe(false);
  });

  it('is held once across processes, and taken over from one that was killed', async () => {
    const path = join(await folder(), 'lock');
    const first = await otherProcess(path);
    expect(first.said).toBe('held');
    expect(takeLock(path)).toBeNull();
    const second = await otherProcess(path);
    expect(second.said).toBe('refused');
    for (const { child } of [first, second]) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    const lock = takeLock(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });
});
