import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import type { StartKeychain } from '../../keychain/start-helper.ts';
import { workerUrl } from '../../workers.ts';

/**
 * Starts the keychain process as an Electron utility process: the packaged binary can't run as plain Node,
 * because that fuse is off.
 */
export function keychainProcess({ fork }: Pick<typeof Electron.utilityProcess, 'fork'>): StartKeychain {
  return (env) => {
    const child = fork(fileURLToPath(workerUrl('keychain')), [], {
      env,
      execArgv: [],
      stdio: 'ignore',
      serviceName: 'Wellbench keychain',
    });
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      send: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onEnd: (listener) => void child.once('exit', () => listener('the process of the keychain ended')),
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
