import { fileURLToPath } from 'node:url';
import type { ThreadPort } from '../../../shared/threads.ts';
import { workerUrl, type WorkerName } from './workers.ts';

/** The port of a process of the application. Closing it kills the process at once. */
export interface ProcessPort extends ThreadPort {
  /** Whether it keeps this process running. */
  setReferenced(isReferenced: boolean): void;
}

/** The workers that are processes: what they load can block, or end, the process that it runs in. */
export type ProcessName = Extract<WorkerName, 'keychain' | 'parquet' | 'sql' | 'tables'>;

export type StartProcess = (name: ProcessName, env: NodeJS.ProcessEnv) => ProcessPort;

/** What Windows programs need to start. The rest may have credentials, for which native code has no use. */
export const systemVariables = ({ SystemRoot, windir }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  SystemRoot,
  windir,
});

/** Starts a process with plain Node; Electron has another implementation. */
export const startProcess: StartProcess = (name, env) => {
  // Loaded on demand: most starts need no process.
  const { fork } = process.getBuiltinModule('node:child_process');
  const child = fork(fileURLToPath(workerUrl(name)), [], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Memory, such as pages of records, crosses as it is.
    serialization: 'advanced',
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
      child.once('exit', (code, signal) => listener(`the ${name} process ended (${signal ?? code ?? ''})`));
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
