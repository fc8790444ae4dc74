import { serve } from '../../../shared/threads.ts';
import { parentProcess } from '../processes/parent-port.ts';
import { keychainCalls, keychainError, KeychainFailure, troubleOf, type Keychain } from './keychain.ts';
import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring';
import { createHash } from 'node:crypto';
import { randomBytes } from '../../world/random.ts';

/** The entries of the system's keychain, which hold short texts. */
export interface Entries {
  get(service: string, account: string): Promise<string | null>;
  set(service: string, account: string, text: string): Promise<void>;
  delete(service: string, account: string): Promise<boolean>;
  find(service: string): Promise<string[]>;
}

/** How often a secret is read again when its parts were replaced meanwhile. */
const maxReads = 4;

/**
 * Retries calls once after an unknown failure. Reading finds an entry, then fetches its text; if another
 * process removes it in between, the system fails instead of finding nothing.
 */
function withOneRetry({ get, set, delete: remove, find }: Entries): Entries {
  const callTwice = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (troubleOf(error) !== 'other') throw error;
      return call();
    }
  };
  return {
    get: (service, account) => callTwice(() => get(service, account)),
    set,
    delete: (service, account) => callTwice(() => remove(service, account)),
    find: (service) => callTwice(() => find(service)),
  };
}

/**
 * Secrets of any length over short entries. The parts of a new secret are written beside the old ones, then
 * the entry that names them, then the old parts are removed: a process killed in between leaves the old
 * secret or the new one.
 * @throws KeychainFailure `damaged` when an entry can't be read; errors of the entries
 */
export function keychainOver(system: Entries): Keychain {
  const entries = withOneRetry(system);

  async function headOf(service: string, account: string): Promise<Head | null> {
    const entry = await entries.get(service, account);
    if (entry === null) return null;
    const head = readHead(entry);
    if (!head) throw new KeychainFailure('damaged');
    return head;
  }

  async function joinParts(service: string, account: string, head: Head): Promise<string | null> {
    if (head.kind === 'whole') return head.password;
    const parts: string[] = [];
    for (let index = 0; index < head.count; index += 1) {
      parts.push((await entries.get(service, partAccount(account, head.generation, index))) ?? '');
    }
    const password = parts.join('');
    return checksumOf(password) === head.sum ? password : null;
  }

  async function removeParts(service: string, account: string, head: Head | null): Promise<void> {
    if (head?.kind !== 'parts') return;
    for (let index = 0; index < head.count; index += 1) {
      await entries.delete(service, partAccount(account, head.generation, index));
    }
  }

  /** Parts that a killed process left behind. */
  async function removeOrphanedParts(service: string, account: string): Promise<void> {
    for (const part of await entries.find(service))
      if (ownerOfPart(part) === account) await entries.delete(service, part);
  }

  return {
    async getPassword(service, account) {
      for (let read = 1; read <= maxReads; read += 1) {
        const head = await headOf(service, account);
        if (head === null) return null;
        const password = await joinParts(service, account, head);
        if (password !== null) return password;
      }
      throw new KeychainFailure('damaged');
    },
    async setPassword(service, account, password) {
      const previous = await headOf(service, account);
      const generation = randomBytes(4).toString('hex');
      const { entry, parts } = split(password, generation);
      for (const [index, part] of parts.entries()) {
        await entries.set(service, partAccount(account, generation, index), part);
      }
      await entries.set(service, account, entry);
      // The secret is stored. Remaining old parts are removed when the account is deleted.
      await removeParts(service, account, previous).catch(() => undefined);
    },
    async deletePassword(service, account) {
      const hasExisted = await entries.delete(service, account);
      await removeOrphanedParts(service, account);
      return hasExisted;
    },
  };
}

/** Windows stores up to 2,560 bytes of UTF-16 in an entry: 1,280 characters. A pair of tokens is longer. */
const maxEntryLength = 1200;

/** A secret in one entry, or in parts that its entry names. */
type Head =
  | { readonly kind: 'whole'; readonly password: string }
  | { readonly kind: 'parts'; readonly count: number; readonly generation: string; readonly sum: string };

const whole = 'w1:0:';
const partsPattern = /^w1:([1-9]\d{0,3}):([0-9a-f]{8}):([0-9a-f]{16})$/;

/** Parses an entry; null if it isn't in this format. */
export function readHead(entry: string): Head | null {
  if (entry.startsWith(whole)) return { kind: 'whole', password: entry.slice(whole.length) };
  const [, count, generation, sum] = partsPattern.exec(entry) ?? [];
  if (!count || !generation || !sum) return null;
  return { kind: 'parts', count: Number(count), generation, sum };
}

/** Verifies that parts belong together; the secret can't be derived from it. */
export function checksumOf(password: string): string {
  return createHash('sha256').update(password).digest('hex').slice(0, 16);
}

/**
 * @param generation eight hexadecimal digits, new for each write, so older parts are not overwritten
 */
export function split(password: string, generation: string): { entry: string; parts: string[] } {
  if (whole.length + password.length <= maxEntryLength) return { entry: whole + password, parts: [] };
  const parts: string[] = [];
  for (let at = 0; at < password.length;) {
    let end = Math.min(at + maxEntryLength, password.length);
    // A surrogate pair is not split.
    if (end < password.length && /[\uD800-\uDBFF]/.test(password.charAt(end - 1))) end -= 1;
    parts.push(password.slice(at, end));
    at = end;
  }
  return { entry: `w1:${parts.length}:${generation}:${checksumOf(password)}`, parts };
}

/** The account of a part. @param index from 0 */
export function partAccount(account: string, generation: string, index: number): string {
  return `${account}~${generation}.${index}`;
}

/** The account that a part belongs to; null for the account of another entry. */
export function ownerOfPart(account: string): string | null {
  return /^(.+)~[0-9a-f]{8}\.\d+$/s.exec(account)?.[1] ?? null;
}

// Without this, the package silently falls back to a kernel keyring, which is lost at the next start.
const storeOptions = { linux: { store: 'secret-service' } } as const;

/** Even opening an entry may wait for D-Bus, so this runs in its own process. */
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
