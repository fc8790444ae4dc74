import type { Keychain } from '../keychain/keychain.ts';
import { keychainService } from './secret-store.ts';

/**
 * The passwords of connections' proxies, or the secrets of their client certificates: in the keychain under their own
 * accounts, or in memory if the keychain can't or shouldn't be used. Never in a file.
 */
export class ExtraPasswords {
  readonly #keychain: Keychain | null;
  readonly #suffix: string;
  /** By connection id, or the account of a certificate. */
  readonly #passwords = new Map<string, string>();

  constructor(keychain: Keychain | null, suffix: 'proxy' | 'certificate') {
    this.#keychain = keychain;
    this.#suffix = suffix;
  }

  #account(connection: string): string {
    return `${connection}-${this.#suffix}`;
  }

  /** Null: there is none, or the keychain can't be read. */
  async read(connection: string): Promise<string | null> {
    const cached = this.#passwords.get(connection);
    if (cached !== undefined) return cached;
    const stored = await this.#keychain
      ?.getPassword(keychainService, this.#account(connection))
      .catch(() => null);
    if (typeof stored === 'string') this.#passwords.set(connection, stored);
    return stored ?? null;
  }

  /**
   * @param remember false: for this session only
   */
  async write(connection: string, password: string, remember: boolean): Promise<void> {
    this.#passwords.set(connection, password);
    if (!remember) return;
    // If the keychain fails, the password is kept for this session, as a key is.
    await this.#keychain
      ?.setPassword(keychainService, this.#account(connection), password)
      .catch(() => undefined);
  }

  async remove(connection: string): Promise<void> {
    this.#passwords.delete(connection);
    await this.#keychain?.deletePassword(keychainService, this.#account(connection)).catch(() => undefined);
  }

  /** Drops a password that isn't to be stored from memory. */
  forget(connection: string): void {
    this.#passwords.delete(connection);
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
