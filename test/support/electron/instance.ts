import { openSync, readFileSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const message = z.object({ argv: z.array(z.string()), cwd: z.string(), data: z.unknown() });
const prefix = 'second-instance-';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(openSync(lock, 'wx'), String(process.pid));
    return true;
  } catch {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (isAlive(holder)) return false;
    // Left by a killed instance.
    rmSync(lock, { force: true });
    return take(lock);
  }
}

/**
 * Electron's single-instance lock: a file, because the result is needed synchronously. A second instance leaves
 * its arguments in a file, which the first finds.
 */
export function lockInstance(
  folder: string,
  data: unknown,
  onSecondInstance: (argv: string[], cwd: string, data: unknown) => unknown,
): boolean {
  const lock = join(folder, 'instance.lock');
  if (!take(lock)) {
    const launch = { argv: process.argv, cwd: process.cwd(), data };
    writeFileSync(join(folder, `${prefix}${process.pid}`), JSON.stringify(launch));
    return false;
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  const look = (): void => {
    for (const name of readdirSync(folder).filter((found) => found.startsWith(prefix))) {
      const launch = message.safeParse(parsed(readFileSync(join(folder, name), 'utf8')));
      // Partly written: the rest gets another event.
      if (!launch.success) continue;
      rmSync(join(folder, name));
      onSecondInstance(launch.data.argv, launch.data.cwd, launch.data.data);
    }
  };
  watch(folder, { persistent: false }, look);
  return true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
