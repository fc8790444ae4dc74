import { AppError, isAppError } from '../../shared/errors/errors.ts';
import type { Clock } from '../http/clock.ts';
import type { Http } from '../http/http.ts';
import { tokenRequest } from './refresh.ts';
import { readTokens, type Tokens } from './tokens.ts';

export interface Login {
  readonly email: string;
  readonly password: string;
}

export interface LogInOptions {
  /** A client of the platform service without a credential. */
  readonly http: Http;
  readonly login: Login;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** How often it is tried at most while the platform is not to be reached; default 10. */
  readonly tries?: number | undefined;
}

/**
 * Exchanges e-mail and password for a pair of tokens (specification, section 5).
 * @throws AppError `not_authenticated` when they are wrong: they are not sent again
 */
export async function logIn({ http, login, clock, signal, tries }: LogInOptions): Promise<Tokens> {
  const { email, password } = login;
  try {
    return await http.read(tokenRequest({ email, password }), (answer) => readTokens(answer, clock.now()), {
      secrets: [password],
      signal,
      tries,
    });
  } catch (error) {
    if (!isAppError(error, 'not_authenticated')) throw error;
    throw new AppError('not_authenticated', { ...error.details, why: 'login_wrong' });
  }
}
