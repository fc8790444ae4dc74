import { AppError } from '../../shared/errors/errors.ts';
import type { Keychain } from './keychain.ts';
import { troubleIn } from './trouble.ts';

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
