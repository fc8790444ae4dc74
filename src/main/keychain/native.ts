import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';
import type { Entries } from './entries.ts';

// Without this the package falls back, silently, to a store of the kernel that is gone with the next start.
const pinned = { linux: { store: 'secret-service' } } as const;

/** The entries of the system's keychain. Even opening one may wait for D-Bus: to be used in a process of its own. */
export const nativeEntries: Entries = {
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
