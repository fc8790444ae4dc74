import { spawn, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLocked, takeLock, withFileLock } from '../../../../src/main/core/files/lock.ts';
import { useFolders } from '../../../support/folders.ts';
import { writeFile } from 'node:fs/promises';

const lockModule = new URL('../../../../src/main/core/files/lock.ts', import.meta.url).href;

/** Another process that tries to take the lock, reports whether it has it, and waits to be killed. */
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

  it('is held once across processes, and taken from a killed one', async () => {
    const path = join(await folder(), 'lock');
    const first = await otherProcess(path);
    expect(first.said).toBe('held');
    expect(takeLock(path)).toBeNull();
    const second = await otherProcess(path);
    expect(second.said).toBe('refused');
    for (const { child } of [first, second]) {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    const lock = takeLock(path);
    expect(lock).not.toBeNull();
    lock?.release();
  });
});

const folders = useFolders();
const busy = () => new Error('busy');

describe('work under a lock', () => {
  it('runs one task after the other, even when some of them fail', async () => {
    const path = join(await folders(), 'locks', 'a.lock');
    const order: string[] = [];
    const work = (name: string) =>
      withFileLock(path, 10_000, busy, async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
        if (name === 'b') throw new Error('b failed');
        return name;
      });
    const results = await Promise.allSettled(['a', 'b', 'c'].map(work));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    for (let n = 0; n < order.length; n += 2) expect(order[n + 1]).toBe(order[n]?.replace('begins', 'ends'));
  });

  it('waits no longer than its limit, and continues after a killed process', async () => {
    const folder = await folders();
    const path = join(folder, 'a.lock');
    const module = join(import.meta.dirname, '../../../../src/main/core/files/lock.ts');
    const entry = join(folder, 'holder.mjs');
    await writeFile(
      entry,
      `import { withFileLock } from ${JSON.stringify(module)};
       withFileLock(${JSON.stringify(path)}, 0, () => new Error('busy'), () => {
         process.send('held');
         return new Promise(() => setInterval(() => undefined, 1000));
       });`,
    );
    const child = fork(entry, [], { execArgv: [] });
    await once(child, 'message');
    await expect(withFileLock(path, 50, busy, async () => 1)).rejects.toThrow('busy');
    child.kill('SIGKILL');
    await expect(withFileLock(path, 10_000, busy, async () => 1)).resolves.toBe(1);
  });
});
