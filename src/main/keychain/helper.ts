import { serve, type ThreadPort } from '../../shared/threads.ts';
import { keychainCalls, keychainError } from './calls.ts';
import { keychainOver, type Entries } from './entries.ts';
import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';

// Without this, the package silently falls back to a kernel keyring, which is lost at the next start.
const storeOptions = { linux: { store: 'secret-service' } } as const;

/**
 * The entries of the system's keychain. Even opening one may wait for D-Bus, so this runs in its own process.
 */
const nativeEntries: Entries = {
  get: (service, account) => new AsyncEntry(service, account, storeOptions).getPassword(),
  set: (service, account, text) => new AsyncEntry(service, account, storeOptions).setPassword(text),
  delete: (service, account) => new AsyncEntry(service, account, storeOptions).deletePassword(),
  async find(service) {
    // Finding has no such option; opening an entry throws if there is no Secret Service.
    void new AsyncEntry(service, 'probe', storeOptions);
    const found = await findCredentialsAsync(service);
    return found.map(({ account, password }) => ({ account, text: password }));
  },
};

// The keychain's process. A keychain that prompts the user blocks until they respond; in the main process
// that would occupy one of few I/O threads, delay its exit, and couldn't be canceled. A process can be
// killed.

type Listener = Parameters<ThreadPort['onMessage']>[0];

/** The channel to the main process: of Node, or of an Electron utility process. */
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

// The main process has ended. A normal exit would wait for pending calls.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
