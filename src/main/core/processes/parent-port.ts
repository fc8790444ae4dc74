import type { ThreadPort } from '../../../shared/threads.ts';

type Listener = Parameters<ThreadPort['onMessage']>[0];

/** The channel to the main process: of Node, or of an Electron utility process. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: Parameters<Listener>[0] }) => void): void;
  postMessage(message: object): void;
}

/**
 * The main process, seen from a process that it started. When the main process ends, this one is killed: a normal exit
 * would wait for calls that are running.
 */
export function parentProcess(): ThreadPort {
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  return {
    send: (message) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
      parentPort ? parentPort.postMessage(message) : void process.send?.(message),
    onMessage(listener) {
      if (parentPort) parentPort.on('message', ({ data }) => listener(data));
      else process.on('message', listener);
    },
    onEnd: () => undefined,
    close: () => undefined,
  };
}
