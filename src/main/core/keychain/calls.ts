import { AppError, type KeychainTrouble } from '../../../shared/errors/errors.ts';
import { createQueue } from '../queue.ts';
import type { Keychain } from './keychain.ts';

interface Account {
  readonly service: string;
  readonly account: string;
}

export type KeychainCalls = ReturnType<typeof keychainCalls>;

/** The calls of the keychain process, run one at a time. */
export function keychainCalls(keychain: Keychain) {
  const queue = createQueue();
  return {
    getPassword: ({ service, account }: Account) => queue(() => keychain.getPassword(service, account)),
    setPassword: ({ service, account, password }: Account & { readonly password: string }) =>
      queue(() => keychain.setPassword(service, account, password)),
    deletePassword: ({ service, account }: Account) => queue(() => keychain.deletePassword(service, account)),
  };
}

/** Any error of the keychain, without its text, which may contain a secret. */
export const keychainError = (error: unknown): AppError =>
  new AppError('keychain_unavailable', { trouble: troubleOf(error) });

/** Why a keychain operation failed. */
export class KeychainFailure extends Error {
  override readonly name = 'KeychainFailure';
  readonly trouble: KeychainTrouble;
  constructor(trouble: KeychainTrouble, options?: ErrorOptions) {
    super(trouble, options);
    this.trouble = trouble;
  }
}

// The package gives every failure the code `GenericFailure`, so messages are matched: those of D-Bus and the
// Secret Service as observed, those of Windows and macOS as documented.
const messagePatterns: readonly [RegExp, KeychainTrouble][] = [
  [/did not receive a reply|NoReply|timed? ?out/i, 'silent'],
  [/prompt was dismissed|IsLocked|locked|interaction is not allowed/i, 'locked'],
  [
    /DBUS_SESSION_BUS_ADDRESS|not provided by any|failed to connect to socket|ServiceUnknown|NameHasNoOwner|NoServer|not been created|no such secret collection|no default/i,
    'absent',
  ],
  [/AccessDenied|denied|not allowed|not permitted|cancell?ed|not correct|authoriz|logon session/i, 'denied'],
];

/** The cause of an error of the keychain package. Its text is dropped, because it may contain a secret. */
export function troubleOf(error: unknown): KeychainTrouble {
  if (error instanceof KeychainFailure) return error.trouble;
  const text = error instanceof Error ? error.message : '';
  return messagePatterns.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
