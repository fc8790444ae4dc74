import { serve, type ThreadPort } from '../../shared/threads.ts';
import { keychainCalls, keychainError } from './calls.ts';
import { keychainOver } from './entries.ts';
import { nativeEntries } from './native.ts';

// The keychain in a process of its own. A keychain that asks the person waits as long as they do; in the core such a
// call takes a thread of the few that read files, holds up the end of the process, and can't be taken back. A process
// can be killed.

type Listener = Parameters<ThreadPort['onMessage']>[0];

/** The channel to the core: Node's own, or that of a utility process of Electron. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: Parameters<Listener>[0] }) => void): void;
  postMessage(message: object): void;
}
const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };

const port: ThreadPort = {
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

serve(port, keychainCalls(keychainOver(nativeEntries)), keychainError);

// Whoever started this is gone. An ordinary end would wait for calls that still run.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
