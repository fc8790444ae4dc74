import { randomBytes, createHash } from 'node:crypto';
import type { Keychain } from './keychain.ts';
import { KeychainFailure, troubleIn } from './calls.ts';

/** Entries of a keychain as the system has them: short texts. */
export interface Entries {
  get(service: string, account: string): Promise<string | null>;
  set(service: string, account: string, text: string): Promise<void>;
  delete(service: string, account: string): Promise<boolean>;
  find(service: string): Promise<{ account: string; text: string }[]>;
}

/** How often a secret is read anew whose parts went away because it was being replaced. */
const reads = 4;

/**
 * Entries that are asked once more where the system fails without a reason that is known. Reading finds an entry first
 * and fetches its text then: where another process removes it in between, the system fails instead of finding nothing.
 */
function askedTwice({ get, set, delete: remove, find }: Entries): Entries {
  const twice = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (troubleIn(error) !== 'other') throw error;
      return ask();
    }
  };
  return {
    get: (service, account) => twice(() => get(service, account)),
    set,
    delete: (service, account) => twice(() => remove(service, account)),
    find: (service) => twice(() => find(service)),
  };
}

/**
 * Secrets of any length over short entries. The parts of a new one are written beside those of the old one, then the
 * entry that names them, then the old parts go: whoever is killed in between leaves the old secret or the new one.
 * @throws KeychainFailure `damaged` when what stands there can't be read; what the entries throw
 */
export function keychainOver(system: Entries): Keychain {
  const entries = askedTwice(system);

  async function headOf(service: string, account: string): Promise<Head | null> {
    const entry = await entries.get(service, account);
    if (entry === null) return null;
    const head = readHead(entry);
    if (!head) throw new KeychainFailure('damaged');
    return head;
  }

  async function joined(service: string, account: string, head: Head): Promise<string | null> {
    if (head.kind === 'whole') return head.password;
    const parts: string[] = [];
    for (let index = 0; index < head.count; index += 1) {
      parts.push((await entries.get(service, partAccount(account, head.generation, index))) ?? '');
    }
    const password = parts.join('');
    return sumOf(password) === head.sum ? password : null;
  }

  async function removeParts(service: string, account: string, head: Head | null): Promise<void> {
    if (head?.kind !== 'parts') return;
    for (let index = 0; index < head.count; index += 1) {
      await entries.delete(service, partAccount(account, head.generation, index));
    }
  }

  /** Parts that a writer left behind when it was killed. */
  async function sweep(service: string, account: string): Promise<void> {
    for (const { account: found } of await entries.find(service)) {
      if (ownerOfPart(found) === account) await entries.delete(service, found);
    }
  }

  return {
    async getPassword(service, account) {
      for (let read = 1; read <= reads; read += 1) {
        const head = await headOf(service, account);
        if (head === null) return null;
        const password = await joined(service, account, head);
        if (password !== null) return password;
      }
      throw new KeychainFailure('damaged');
    },
    async setPassword(service, account, password) {
      const before = await headOf(service, account);
      const generation = randomBytes(4).toString('hex');
      const { entry, parts } = split(password, generation);
      for (const [index, part] of parts.entries()) {
        await entries.set(service, partAccount(account, generation, index), part);
      }
      await entries.set(service, account, entry);
      // The secret is safe now; what is left over of the old one is gone at the latest when the account is deleted.
      await removeParts(service, account, before).catch(() => undefined);
    },
    async deletePassword(service, account) {
      const there = await entries.delete(service, account);
      await sweep(service, account);
      return there;
    },
    async findCredentials(service) {
      const found = await entries.find(service);
      const texts = new Map(found.map(({ account, text }) => [account, text]));
      const secrets: { account: string; password: string }[] = [];
      for (const { account, text } of found) {
        const head = ownerOfPart(account) === null ? readHead(text) : null;
        const password = head && joinedFrom(texts, account, head);
        if (password !== null) secrets.push({ account, password });
      }
      return secrets;
    },
  };
}

/** The secret of a head from all entries of a service; null when a part is missing. */
function joinedFrom(texts: ReadonlyMap<string, string>, account: string, head: Head): string | null {
  if (head.kind === 'whole') return head.password;
  const parts = Array.from({ length: head.count }, (_, index) =>
    texts.get(partAccount(account, head.generation, index)),
  );
  const password = parts.join('');
  return sumOf(password) === head.sum ? password : null;
}

/** Windows keeps 2,560 bytes of UTF-16 for an entry: 1,280 characters. A pair of tokens is longer. */
const longestEntry = 1200;

/** How a secret stands in the keychain: whole in its own entry, or in parts beside it, which its entry names. */
type Head =
  | { readonly kind: 'whole'; readonly password: string }
  | { readonly kind: 'parts'; readonly count: number; readonly generation: string; readonly sum: string };

const whole = 'w1:0:';
const inParts = /^w1:([1-9]\d{0,3}):([0-9a-f]{8}):([0-9a-f]{16})$/;

/** What an entry says; null when it was not written in this format. */
export function readHead(entry: string): Head | null {
  if (entry.startsWith(whole)) return { kind: 'whole', password: entry.slice(whole.length) };
  const [, count, generation, sum] = inParts.exec(entry) ?? [];
  if (!count || !generation || !sum) return null;
  return { kind: 'parts', count: Number(count), generation, sum };
}

/** Tells whether parts belong together; no secret can be had from it. */
export function sumOf(password: string): string {
  return createHash('sha256').update(password).digest('hex').slice(0, 16);
}

/**
 * What to write for a secret: its entry, and the parts that come before it.
 * @param generation eight hexadecimal digits, new for each writing, so that no part of an older one is overwritten
 */
export function split(password: string, generation: string): { entry: string; parts: string[] } {
  if (whole.length + password.length <= longestEntry) return { entry: whole + password, parts: [] };
  const parts: string[] = [];
  for (let at = 0; at < password.length;) {
    let end = Math.min(at + longestEntry, password.length);
    // A character beyond the sixteen-bit range is not cut in two.
    if (end < password.length && /[\uD800-\uDBFF]/.test(password.charAt(end - 1))) end -= 1;
    parts.push(password.slice(at, end));
    at = end;
  }
  return { entry: `w1:${parts.length}:${generation}:${sumOf(password)}`, parts };
}

/** The account of a part, counted from 0. */
export function partAccount(account: string, generation: string, index: number): string {
  return `${account}~${generation}.${index}`;
}

/** The account that a part belongs to; null when this is not the account of a part. */
export function ownerOfPart(account: string): string | null {
  return /^(.+)~[0-9a-f]{8}\.\d+$/s.exec(account)?.[1] ?? null;
}
