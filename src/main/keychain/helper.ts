import { serve, type ThreadPort } from '../../shared/threads.ts';
import { keychainCalls, keychainError } from './calls.ts';
import { keychainOver, type Entries } from './entries.ts';
import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';

// Without this the package falls back, silently, to a store of the kernel that is gone with the next start.
const pinned = { linux: { store: 'secret-service' } } as const;

/** The entries of the system's keychain. Even opening one may wait for D-Bus: to be used in a process of its own. */
const nativeEntries: Entries = {
  get: (service, account) => new AsyncEntry(service, account, pinned).getPassword(),
  set: (service, account, text) => new AsyncEntry(service, account, pinned).setPassword(text),
  delete: (service, account) => new AsyncEntry(service, account, pinned).deletePassword(),
  async find(service) {
    // Finding can't be pinned; opening an entry throws where there is no Secret Service.
    void new AsyncEntry(service, 'probe', pinned);
    const found = await findCredentialsAsync(service);
    return found.map(({ account, password }) => ({ account, text: password }));
  },
};

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
