import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alone } from '../../../src/main/files/alone.ts';
import { useFolders } from '../../support/folders.ts';

const folders = useFolders();
const busy = () => new Error('busy');

describe('work under a lock', () => {
  it('is done one after the other, also when some of it fails', async () => {
    const path = join(await folders(), 'locks', 'a.lock');
    const order: string[] = [];
    const work = (name: string) =>
      alone(path, 10_000, busy, async () => {
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

  it('waits no longer than it is told, and goes on after a process that was killed', async () => {
    const folder = await folders();
    const path = join(folder, 'a.lock');
    const module = join(import.meta.dirname, '../../../src/main/files/alone.ts');
    const entry = join(folder, 'holder.mjs');
    await writeFile(
      entry,
      `import { alone } from ${JSON.stringify(module)};
       alone(${JSON.stringify(path)}, 0, () => new Error('busy'), () => {
         process.send('held');
         return new Promise(() => setInterval(() => undefined, 1000));
       });`,
    );
    const child = fork(entry, [], { execArgv: [] });
    await once(child, 'message');
    await expect(alone(path, 50, busy, async () => 1)).rejects.toThrow('busy');
    child.kill('SIGKILL');
    await expect(alone(path, 10_000, busy, async () => 1)).resolves.toBe(1);
  });
});
