import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const interrupts = join(import.meta.dirname, '../../../../src/main/hosts/cli/main.ts');
// Busy forever once it was interrupted and the time in which two interrupts count as one is over.
const script = `
  const { listenForInterrupts } = await import(${JSON.stringify(interrupts)});
  const { signal } = listenForInterrupts();
  const wait = setInterval(() => undefined, 1000);
  signal.addEventListener('abort', () => setTimeout(() => { console.log('busy'); for (;;); }, 1500));
  console.log('ready');
`;

describe.skipIf(process.platform === 'win32')('a second interrupt', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends a process that is busy with work that can’t be stopped: %s',
    async (signal) => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
      const lines = child.stdout.setEncoding('utf8').iterator();
      const ended = once(child, 'exit');
      await lines.next();
      child.kill(signal);
      await lines.next();
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
    },
  );
});
