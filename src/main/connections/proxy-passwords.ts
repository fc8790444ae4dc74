import type { Keychain } from '../keychain/keychain.ts';
import { keychainService } from './secret-store.ts';

const account = (connection: string): string => `${connection}-proxy`;

/**
 * The passwords of connections' own proxies: in the keychain under an account of their own; in the memory of this
 * process where the keychain can't be used or is not to be. Never in a file.
 */
export class ProxyPasswords {
  readonly #keychain: Keychain | null;
  /** By the id of the connection. */
  readonly #known = new Map<string, string>();

  constructor(keychain: Keychain | null) {
    this.#keychain = keychain;
  }

  /** Null: there is none, or the keychain does not give it. */
  async read(connection: string): Promise<string | null> {
    const known = this.#known.get(connection);
    if (known !== undefined) return known;
    const found = await this.#keychain?.getPassword(keychainService, account(connection)).catch(() => null);
    if (typeof found === 'string') this.#known.set(connection, found);
    return found ?? null;
  }

  /** @param remember false: for this session only */
  async write(connection: string, password: string, remember: boolean): Promise<void> {
    this.#known.set(connection, password);
    if (!remember) return;
    // What the keychain does not take is kept for this session, as a key is.
    await this.#keychain?.setPassword(keychainService, account(connection), password).catch(() => undefined);
  }

  async forget(connection: string): Promise<void> {
    this.#known.delete(connection);
    await this.#keychain?.deletePassword(keychainService, account(connection)).catch(() => undefined);
  }

  /** For redaction. */
  secrets(): string[] {
    return [...this.#known.values()].flatMap((password) => [password, encodeURIComponent(password)]);
  }
}
