import { fileURLToPath } from 'node:url';
import { workerUrl } from '../workers.ts';
import type { Request } from './messages.ts';

/** The process that holds the keychain, seen from the core. */
export interface Helper {
  send(request: Request): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when it is gone or could not be started. */
  onEnd(listener: () => void): void;
  /** Ends it at once, whatever it waits for. */
  kill(): void;
  /** Whether it keeps this process running. */
  hold(held: boolean): void;
}

/** Starts the process, with the environment in which the way to the keychain is read. */
export type StartHelper = (env: NodeJS.ProcessEnv) => Helper;

/** Starts it under plain Node; a host in which the application is not run by Node has a way of its own. */
export const startHelper: StartHelper = (env) => {
  // Only here: most starts need no keychain, and would pay for it.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(fileURLToPath(workerUrl('keychain')), [], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let ended = false;
  return {
    send(request) {
      child.send(request, (error) => {
        if (error) child.kill('SIGKILL');
      });
    },
    onMessage: (listener) => void child.on('message', listener),
    onEnd(listener) {
      const end = (): void => {
        if (!ended) listener();
        ended = true;
      };
      child.once('error', end);
      child.once('exit', end);
    },
    kill: () => void child.kill('SIGKILL'),
    hold(held) {
      if (held) child.ref();
      else child.unref();
      if (held) child.channel?.ref();
      else child.channel?.unref();
    },
  };
};
