import { fileURLToPath } from 'node:url';
import type * as Electron from 'electron';
import type { StartKeychain } from '../../keychain/start-helper.ts';
import { workerUrl } from '../../workers.ts';

/**
 * Starts the process that holds the keychain as a utility process of Electron: the binary of the application can't run
 * as plain Node, because that fuse is off.
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
        // A call that waits for a person does not end for a polite word.
        if (pid !== undefined) endNow(pid);
        child.kill();
      },
      // Electron ends its utility processes with itself; none of them keeps it running.
      setReferenced: () => undefined,
    };
  };
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
