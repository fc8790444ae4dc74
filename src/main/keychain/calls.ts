import { AppError, type KeychainTrouble } from '../../shared/errors/errors.ts';
import type { Keychain } from './keychain.ts';

interface Account {
  readonly service: string;
  readonly account: string;
}

export type KeychainCalls = ReturnType<typeof keychainCalls>;

/** The keychain as the process that holds it serves it: one call at a time. */
export function keychainCalls(keychain: Keychain) {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn =
    <I, O>(call: (input: I) => Promise<O>) =>
    (input: I): Promise<O> => {
      const result = last.then(() => call(input));
      last = result.catch(() => undefined);
      return result;
    };
  return {
    getPassword: inTurn(({ service, account }: Account) => keychain.getPassword(service, account)),
    setPassword: inTurn(({ service, account, password }: Account & { readonly password: string }) =>
      keychain.setPassword(service, account, password),
    ),
    deletePassword: inTurn(({ service, account }: Account) => keychain.deletePassword(service, account)),
    findCredentials: inTurn(({ service }: Pick<Account, 'service'>) => keychain.findCredentials(service)),
  };
}

/** Anything that the keychain throws, without its text: nobody promises that it holds no secret. */
export const keychainError = (error: unknown): AppError =>
  new AppError('keychain_unavailable', { trouble: troubleIn(error) });

/** Why the keychain could not do what was asked. */
export class KeychainFailure extends Error {
  override readonly name = 'KeychainFailure';
  readonly trouble: KeychainTrouble;
  constructor(trouble: KeychainTrouble, options?: ErrorOptions) {
    super(trouble, options);
    this.trouble = trouble;
  }
}

// The package gives every failure one code, `GenericFailure`, so its words have to tell: those of D-Bus and of the
// Secret Service as they were met, those of Windows and macOS as their documentation has them.
const words: readonly [RegExp, KeychainTrouble][] = [
  [/did not receive a reply|NoReply|timed? ?out/i, 'silent'],
  [/prompt was dismissed|IsLocked|locked|interaction is not allowed/i, 'locked'],
  [
    /DBUS_SESSION_BUS_ADDRESS|not provided by any|failed to connect to socket|ServiceUnknown|NameHasNoOwner|NoServer|not been created|no such secret collection|no default/i,
    'absent',
  ],
  [/AccessDenied|denied|not allowed|not permitted|cancell?ed|not correct|authoriz|logon session/i, 'denied'],
];

/** What an error of the keychain package means. Its text is left behind: nobody promises that it holds no secret. */
export function troubleIn(error: unknown): KeychainTrouble {
  if (error instanceof KeychainFailure) return error.trouble;
  const text = error instanceof Error ? error.message : '';
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
