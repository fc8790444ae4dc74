import { join } from 'node:path';
import * as z from 'zod';
import { AppError, isAppError, type KeychainTrouble } from '../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { withFileLock } from '../files/lock.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { createQueue, type Queue } from '../queue.ts';
import { tokens } from '../wire/services/tokens.ts';

/** The keychain service of all secrets; accounts are connection ids. */
export const keychainService = 'Wellbench';

export interface SecretState {
  readonly place: 'keychain' | 'session' | 'missing';
  /** Why the secret isn't in the keychain, or can't be read. */
  readonly trouble: KeychainTrouble | undefined;
}

interface SecretStoreOptions {
  readonly id: string;
  /** Null: for this session only. */
  readonly keychain: Keychain | null;
  /** The expected place, before the first read. */
  readonly place: SecretState['place'];
  readonly withLock: Queue;
  readonly onChange?: ((state: SecretState) => void) | undefined;
}

/**
 * The secret of one connection: in the keychain, or in memory if the keychain fails. A secret in memory is
 * moved to the keychain as soon as possible.
 */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  #state: SecretState;
  /** A secret that the keychain didn't accept; undefined: none. */
  #pending: Secret | null | undefined;
  /** The keychain's text when it didn't accept the secret; undefined: unknown. */
  #replacedText: string | null | undefined;
  /** The keychain's text at the last read; undefined: unknown. */
  #lastText: string | null | undefined;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
    this.#state = { place: options.place, trouble: undefined };
  }

  state(): SecretState {
    return this.#state;
  }

  /** Whether a secret goes to the keychain, also one that is missing now; else it is for this session only. */
  get isForKeychain(): boolean {
    return this.#options.keychain !== null;
  }

  /** @throws AppError `keychain_unavailable` */
  async read(): Promise<Secret | null> {
    const { keychain, id } = this.#options;
    if (!keychain) return this.#pending ?? null;
    try {
      this.#lastText = await keychain.getPassword(keychainService, id);
    } catch (error) {
      this.#set({ ...this.#state, trouble: troubleOf(error) });
      if (this.#pending !== undefined) return this.#pending;
      throw error;
    }
    if (this.#pending !== undefined) {
      if (this.#replacedText === undefined) this.#replacedText = this.#lastText;
      if (this.#lastText === this.#replacedText) return this.#pending;
      // Another process stored a newer secret.
      this.#pending = undefined;
    }
    if (this.#lastText === null) {
      this.#set({ place: 'missing', trouble: undefined });
      return null;
    }
    const storedSecret = parseSecret(this.#lastText);
    this.#set({ place: 'keychain', trouble: storedSecret ? undefined : 'damaged' });
    if (!storedSecret) throw new AppError('keychain_unavailable', { trouble: 'damaged' });
    return storedSecret;
  }

  /**
   * Writes the secret; null removes it. One that the keychain doesn't accept is kept for this session.
   * @param mustStore whether to fail instead, and leave the stored secret as it is
   * @throws AppError `keychain_unavailable` if the secret must be stored
   */
  async write(secret: Secret | null, mustStore = false): Promise<void> {
    const { keychain, id } = this.#options;
    if (!keychain) {
      this.#pending = secret;
      this.#set({ place: secret ? 'session' : 'missing', trouble: undefined });
      return;
    }
    try {
      const text = secret && JSON.stringify(secret);
      if (text === null) await keychain.deletePassword(keychainService, id);
      else await this.#put(keychain, text);
      this.#lastText = text;
      this.#pending = undefined;
      this.#set({ place: text === null ? 'missing' : 'keychain', trouble: undefined });
    } catch (error) {
      if (mustStore) throw error;
      this.#replacedText = this.#lastText;
      this.#pending = secret;
      this.#set({ place: secret ? 'session' : 'missing', trouble: troubleOf(error) });
    }
  }

  /** An entry of another version that can't be read is never overwritten. */
  async #put(keychain: Keychain, text: string): Promise<void> {
    const { id } = this.#options;
    this.#lastText = await keychain.getPassword(keychainService, id);
    if (this.#lastText !== null && !parseSecret(this.#lastText))
      throw new AppError('keychain_unavailable', { trouble: 'damaged' });
    await keychain.setPassword(keychainService, id, text);
  }

  /** Removes the secret from the keychain, readable or not. @throws AppError `keychain_unavailable` */
  async remove(): Promise<void> {
    await this.#options.keychain?.deletePassword(keychainService, this.#options.id);
    this.#pending = undefined;
    this.#lastText = null;
    this.#set({ place: 'missing', trouble: undefined });
  }

  /**
   * Runs work while no other process renews or replaces this secret.
   * @throws AppError `keychain_unavailable` when the lock isn't released
   */
  withLock<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.withLock(async () => {
      await this.#flushPending();
      return work();
    });
  }

  /** Moves a secret from memory to the keychain, if possible and if the keychain has no newer one. */
  async #flushPending(): Promise<void> {
    if (this.#pending === undefined || !this.#options.keychain) return;
    const storedSecret = await this.read().catch(() => undefined);
    if (storedSecret !== undefined && this.#pending !== undefined) await this.write(storedSecret);
  }

  #set(state: SecretState): void {
    const { place, trouble } = this.#state;
    this.#state = state;
    if (place !== state.place || trouble !== state.trouble) this.#options.onChange?.(state);
  }
}

/** Why the keychain failed. */
export function troubleOf(error: unknown): KeychainTrouble {
  return isAppError(error, 'keychain_unavailable') ? error.details.trouble : 'other';
}

/** Longer than all tries of a request by another process that renews tokens. */
const lockTimeoutMs = 180_000;

/** A secret store for this session only. */
export function sessionSecretStore(id: string, onChange?: (state: SecretState) => void): SecretStore {
  return new SecretStore({ id, keychain: null, place: 'missing', onChange, withLock: createQueue() });
}

/** The secret stores of saved connections: in the keychain, each with a lock of the operating system. */
export function createSecretStores(keychain: Keychain | null, lockFolder: string | null) {
  return (id: string, place: SecretState['place'], onChange: (state: SecretState) => void): SecretStore => {
    if (!keychain || !lockFolder) return sessionSecretStore(id, onChange);
    // A renewal has ended by then: the process that has the lock waits for the keychain.
    const busy = () => new AppError('keychain_unavailable', { trouble: 'silent' });
    const path = join(lockFolder, `${id}.lock`);
    return new SecretStore({
      id,
      keychain,
      place,
      onChange,
      withLock: (work) => withFileLock(path, lockTimeoutMs, busy, work),
    });
  };
}

const secret = z.discriminatedUnion('method', [
  z.object({ method: z.literal('api_key'), apiKey: z.string().min(1) }),
  z.object({ method: z.literal('login'), tokens }),
]);

/** A stored secret: a key, or the tokens of a sign-in. Passwords are never stored. */
export type Secret = z.infer<typeof secret>;

const parseSecret = (text: string): Secret | null => secret.safeParse(jsonOrNull(text)).data ?? null;

/**
 * The passwords of connections' proxies, or the secrets of their client certificates: in the keychain under their own
 * accounts, or in memory if the keychain can't or shouldn't be used. Never in a file.
 */
export class ExtraPasswords {
  readonly #keychain: Keychain | null;
  readonly #suffix: string;
  /** By connection id, or the account of a certificate. */
  readonly #passwords = new Map<string, string>();
  /** Why the keychain didn't take those that are kept for this session instead, as a key is. */
  readonly #troubles = new Map<string, KeychainTrouble>();

  constructor(keychain: Keychain | null, suffix: 'proxy' | 'certificate') {
    this.#keychain = keychain;
    this.#suffix = suffix;
  }

  #account(connection: string): string {
    return `${connection}-${this.#suffix}`;
  }

  /**
   * @returns null: there is none, or no keychain
   * @throws AppError `keychain_unavailable` if the keychain can't be read: a proxy would otherwise be sent an empty password
   */
  async get(connection: string): Promise<string | null> {
    const cached = this.#passwords.get(connection);
    if (cached !== undefined) return cached;
    const stored = await this.#keychain
      ?.getPassword(keychainService, this.#account(connection))
      .catch((error: unknown) => {
        if (['off', 'absent'].includes(troubleOf(error))) return null;
        throw error;
      });
    if (typeof stored === 'string') this.#passwords.set(connection, stored);
    return stored ?? null;
  }

  /** @param remember false: for this session only */
  async set(connection: string, password: string, remember: boolean): Promise<void> {
    this.#passwords.set(connection, password);
    if (!remember) return;
    try {
      await this.#keychain?.setPassword(keychainService, this.#account(connection), password);
      this.#troubles.delete(connection);
    } catch (error) {
      this.#troubles.set(connection, troubleOf(error));
    }
  }

  /** Why a password isn't in the keychain, although it should be. */
  trouble(connection: string): KeychainTrouble | undefined {
    return this.#troubles.get(connection);
  }

  /** Stores a password that the keychain didn't take before. */
  async retry(connection: string): Promise<void> {
    const password = this.#passwords.get(connection);
    if (password !== undefined && this.#troubles.has(connection)) await this.set(connection, password, true);
  }

  async delete(connection: string): Promise<void> {
    this.forget(connection);
    await this.#keychain?.deletePassword(keychainService, this.#account(connection)).catch(() => undefined);
  }

  /** Drops a password that isn't to be stored from memory. */
  forget(connection: string): void {
    this.#passwords.delete(connection);
    this.#troubles.delete(connection);
  }

  /** The passwords in memory. */
  texts(): string[] {
    return [...this.#passwords.values()];
  }

  /** Texts to redact. */
  secrets(): string[] {
    return this.texts().flatMap((password) => [password, encodeURIComponent(password)]);
  }
}
