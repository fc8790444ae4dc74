import { AppError, isAppError, type KeychainTrouble } from '../../shared/errors/errors.ts';
import type { Keychain } from '../keychain/keychain.ts';
import { join } from 'node:path';
import { alone } from '../files/lock.ts';
import * as z from 'zod';
import type { Tokens } from '../services/tokens.ts';

/** The name under which all secrets stand in the keychain; their accounts are the ids of connections. */
export const keychainService = 'Wellbench';

export interface SecretState {
  readonly place: 'keychain' | 'session' | 'missing';
  /** Why the secret is not in the keychain, or can't be had from it. */
  readonly trouble: KeychainTrouble | undefined;
}

interface SecretStoreOptions {
  readonly id: string;
  /** Null: for this session only. */
  readonly keychain: Keychain | null;
  /** Where it is believed to be before anybody has looked. */
  readonly place: SecretState['place'];
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onChange?: ((state: SecretState) => void) | undefined;
}

/**
 * The place of one connection's secret: the keychain, or the memory of this process where there is none or it does not
 * let us in. What is in memory is put into the keychain as soon as that is possible.
 */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  #state: SecretState;
  /** What the keychain did not take; undefined: nothing. */
  #memory: Secret | null | undefined;
  /** What stood in the keychain when it did not; undefined: not known. */
  #stale: string | null | undefined;
  /** What stood in the keychain when it was last looked at; undefined: not known. */
  #seen: string | null | undefined;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
    this.#state = { place: options.place, trouble: undefined };
  }

  state(): SecretState {
    return this.#state;
  }

  /** @throws AppError `keychain_unavailable` */
  async read(): Promise<Secret | null> {
    const { keychain, id } = this.#options;
    if (!keychain) return this.#memory ?? null;
    try {
      this.#seen = await keychain.getPassword(keychainService, id);
    } catch (error) {
      this.#set({ ...this.#state, trouble: troubleOf(error) });
      if (this.#memory !== undefined) return this.#memory;
      throw error;
    }
    if (this.#memory !== undefined) {
      if (this.#stale === undefined) this.#stale = this.#seen;
      if (this.#seen === this.#stale) return this.#memory;
      // Another process has put a newer one there.
      this.#memory = undefined;
    }
    if (this.#seen === null) {
      this.#set({ place: 'missing', trouble: undefined });
      return null;
    }
    const kept = secretIn(this.#seen);
    this.#set({ place: 'keychain', trouble: kept ? undefined : 'damaged' });
    if (!kept) throw new AppError('keychain_unavailable', { trouble: 'damaged' });
    return kept;
  }

  /** Null: forget it. Never fails: what the keychain does not take is kept for this session. */
  async write(secret: Secret | null): Promise<void> {
    const { keychain, id } = this.#options;
    if (!keychain) {
      this.#memory = secret;
      this.#set({ place: secret ? 'session' : 'missing', trouble: undefined });
      return;
    }
    try {
      const text = secret && secretText(secret);
      if (text === null) await keychain.deletePassword(keychainService, id);
      else await this.#put(keychain, text);
      this.#seen = text;
      this.#memory = undefined;
      this.#set({ place: text === null ? 'missing' : 'keychain', trouble: undefined });
    } catch (error) {
      this.#stale = this.#seen;
      this.#memory = secret;
      this.#set({ place: secret ? 'session' : 'missing', trouble: troubleOf(error) });
    }
  }

  /** Nothing is put over what another version wrote and this one can't read. */
  async #put(keychain: Keychain, text: string): Promise<void> {
    const { id } = this.#options;
    this.#seen = await keychain.getPassword(keychainService, id);
    if (this.#seen !== null && !secretIn(this.#seen))
      throw new AppError('keychain_unavailable', { trouble: 'damaged' });
    await keychain.setPassword(keychainService, id, text);
  }

  /** Takes it out of the keychain, whatever stands there. @throws AppError `keychain_unavailable` */
  async forget(): Promise<void> {
    this.#memory = undefined;
    await this.#options.keychain?.deletePassword(keychainService, this.#options.id);
    this.#seen = null;
    this.#set({ place: 'missing', trouble: undefined });
  }

  /** Does the work while no other process renews or replaces this secret. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.alone(async () => {
      await this.#settle();
      return work();
    });
  }

  /** Puts what is in memory into the keychain, if it now lets us in and nothing newer stands there. */
  async #settle(): Promise<void> {
    if (this.#memory === undefined || !this.#options.keychain) return;
    const kept = await this.read().catch(() => undefined);
    if (kept !== undefined && this.#memory !== undefined) await this.write(kept);
  }

  #set(state: SecretState): void {
    const { place, trouble } = this.#state;
    this.#state = state;
    if (place !== state.place || trouble !== state.trouble) this.#options.onChange?.(state);
  }
}

function troubleOf(error: unknown): KeychainTrouble {
  return isAppError(error, 'keychain_unavailable') ? error.details.trouble : 'other';
}

/** How long another process may take to renew a login, in milliseconds: longer than its tries of a request. */
const patienceMs = 180_000;

/** A place for a secret of this session only. */
export function sessionSecretStore(id: string, onChange?: (state: SecretState) => void): SecretStore {
  let line: Promise<unknown> = Promise.resolve();
  return new SecretStore({
    id,
    keychain: null,
    place: 'missing',
    onChange,
    alone(work) {
      const result = line.then(work);
      line = result.catch(() => undefined);
      return result;
    },
  });
}

/** Makes the places of the secrets of saved connections: in the keychain, under a lock of the operating system each. */
export function secretStoresIn(keychain: Keychain | null, lockFolder: string | null) {
  return (id: string, place: SecretState['place'], onChange: (state: SecretState) => void): SecretStore => {
    if (!keychain || !lockFolder) return sessionSecretStore(id, onChange);
    const busy = () =>
      new AppError('timed_out', { service: 'platform', host: 'another process', afterMs: patienceMs });
    const path = join(lockFolder, `${id}.lock`);
    return new SecretStore({
      id,
      keychain,
      place,
      onChange,
      alone: (work) => alone(path, patienceMs, busy, work),
    });
  };
}

const tokens = z.object({
  jwt: z.string().min(1),
  refreshToken: z.string().nullable(),
  renewAt: z.number().nullable(),
  endsAt: z.number().nullable(),
});

const secret = z.discriminatedUnion('method', [
  z.object({ method: z.literal('api_key'), apiKey: z.string().min(1) }),
  z.object({ method: z.literal('login'), tokens }),
]);

/** What proves who asks, as it is kept: a key, or the tokens of a login. A password never is. */
export type Secret = { method: 'api_key'; apiKey: string } | { method: 'login'; tokens: Tokens };

export function secretText(kept: Secret): string {
  return JSON.stringify(kept);
}

function secretIn(text: string): Secret | null {
  try {
    return secret.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
