import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import type { StartProcess } from '../../world/threads.ts';
import { workerUrl } from '../../world/workers.ts';

/**
 * Starts processes as Electron utility processes: the packaged binary can't run as plain Node, because that fuse is off.
 */
export function startUtilityProcess({ fork }: Pick<typeof Electron.utilityProcess, 'fork'>): StartProcess {
  return (name, env) => {
    const child = fork(fileURLToPath(workerUrl(name)), [], {
      env,
      execArgv: [],
      stdio: 'ignore',
      serviceName: `Wellbench ${name}`,
    });
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onEnd: (listener) => void child.once('exit', () => listener(`the ${name} process ended`)),
      close() {
        const { pid } = child;
        // A call that waits for a user doesn't end on SIGTERM.
        if (pid !== undefined) endNow(pid);
        child.kill();
      },
      // Electron ends its utility processes with itself; they don't keep it running.
      setReferenced: () => undefined,
    };
  };
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
