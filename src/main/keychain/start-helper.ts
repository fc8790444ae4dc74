import { fileURLToPath } from 'node:url';
import type { ThreadPort } from '../../shared/threads.ts';
import { workerUrl } from '../workers.ts';

/** The process that holds the keychain, seen from the core. Closing ends it at once, whatever it waits for. */
export interface KeychainPort extends ThreadPort {
  /** Whether it keeps this process running. */
  hold(isHeld: boolean): void;
}

export type StartKeychain = (env: NodeJS.ProcessEnv) => KeychainPort;

/** Starts it under plain Node; Electron, which does not run the application by Node, has its own. */
export const startHelper: StartKeychain = (env) => {
  // Only here: most starts need no keychain, and would pay for it.
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
    hold(isHeld) {
      if (isHeld) child.ref();
      else child.unref();
      if (isHeld) child.channel?.ref();
      else child.channel?.unref();
    },
  };
};
