import { AppError, type KeychainTrouble } from '../../src/shared/errors/errors.ts';
import type { Keychain } from '../../src/main/core/keychain/keychain.ts';

export interface TestKeychain extends Keychain {
  /** Its entries, by account. */
  readonly secrets: Map<string, string>;
  /** Why it is inaccessible; null: it is unlocked. */
  trouble: KeychainTrouble | null;
  /** How often it was accessed. */
  asked: number;
}

/** A keychain in memory that can be locked; the real one has its own tests. */
export function testKeychain(): TestKeychain {
  const secrets = new Map<string, string>();
  const ask = <T>(answer: () => T): Promise<T> => {
    keychain.asked += 1;
    const { trouble } = keychain;
    return trouble === null
      ? Promise.resolve(answer())
      : Promise.reject(new AppError('keychain_unavailable', { trouble }));
  };
  const keychain: TestKeychain = {
    secrets,
    trouble: null,
    asked: 0,
    getPassword: (_service, account) => ask(() => secrets.get(account) ?? null),
    setPassword: (_service, account, password) => ask(() => void secrets.set(account, password)),
    deletePassword: (_service, account) => ask(() => secrets.delete(account)),
  };
  return keychain;
}
