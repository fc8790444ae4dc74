import { serve } from '../../../shared/threads.ts';
import { parentProcess } from '../processes/parent-port.ts';
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
    return (await findCredentialsAsync(service)).map(({ account }) => account);
  },
};

// The keychain's process. A keychain that prompts the user blocks until they respond; in the main process
// that would occupy one of few I/O threads, delay its exit, and couldn't be canceled. A process can be
// killed.
serve(parentProcess(), keychainCalls(keychainOver(nativeEntries)), keychainError);
