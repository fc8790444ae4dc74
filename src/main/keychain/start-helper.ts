import { fileURLToPath } from 'node:url';
import type { ThreadPort } from '../../shared/threads.ts';
import { workerUrl } from '../workers.ts';

/** The port of the keychain's process. Closing it kills the process at once. */
export interface KeychainPort extends ThreadPort {
  /** Whether it keeps this process running. */
  setReferenced(isReferenced: boolean): void;
}

export type StartKeychain = (env: NodeJS.ProcessEnv) => KeychainPort;

/** Starts the process with plain Node; Electron has another implementation. */
export const startHelper: StartKeychain = (env) => {
  // Loaded on demand: most starts need no keychain.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(fileURLToPath(workerUrl('keychain')), [], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return {
    send(message) {
      child.send(message, (error) => {
        if (error) child.kill('SIGKILL');
      });
    },
    onMessage: (listener) => void child.on('message', listener),
    onEnd(listener) {
      child.once('error', ({ message }) => listener(message));
      child.once('exit', () => listener('the process of the keychain ended'));
    },
    close: () => void child.kill('SIGKILL'),
    setReferenced(isReferenced) {
      if (isReferenced) child.ref();
      else child.unref();
      if (isReferenced) child.channel?.ref();
      else child.channel?.unref();
    },
  };
};
