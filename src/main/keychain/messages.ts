import type { KeychainTrouble } from '../../shared/errors/errors.ts';
import type { Keychain, StoredSecret } from './keychain.ts';

/** What the core asks of the process that holds the keychain. A call uses those of the texts that it needs. */
export interface Request {
  readonly id: number;
  readonly call: keyof Keychain;
  readonly service: string;
  readonly account: string;
  readonly password: string;
}

export interface Reply {
  readonly id: number;
  readonly value: string | boolean | StoredSecret[] | null;
  /** Null: it was done. */
  readonly trouble: KeychainTrouble | null;
}

const calls: readonly string[] = [
  'getPassword',
  'setPassword',
  'deletePassword',
  'findCredentials',
] satisfies (keyof Keychain)[];

/** Checked without a library: the process that reads it is to start fast. */
export function isRequest(message: unknown): message is Request {
  if (typeof message !== 'object' || message === null) return false;
  const { id, call, service, account, password } = message as Record<string, unknown>;
  return (
    typeof id === 'number' &&
    typeof call === 'string' &&
    calls.includes(call) &&
    [service, account, password].every((text) => typeof text === 'string')
  );
}
