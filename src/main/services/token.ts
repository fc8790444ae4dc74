import { AppError, isAppError } from '../../shared/errors/errors.ts';
import { systemClock, type Clock } from '../http/retry.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import type { Http } from '../http/http.ts';
import { logIn, type Login, refreshTokens, memoryTokens, type Tokens, type TokenStore } from './tokens.ts';

export interface LoginOptions {
  /** A client of the platform service without a credential. */
  readonly http: Http;
  /** Null: there is only the pair that the store holds. */
  readonly login: Login | null;
  readonly store?: TokenStore | undefined;
  readonly clock?: Clock | undefined;
}

/** How long a renewal ahead of time that failed is left alone, in milliseconds, while the token is still good. */
const pauseMs = 30_000;

/**
 * Logs in with e-mail and password at the first request, refreshes ahead of the end and after a 401, one at
 * a time whatever runs, in whichever process (specification, section 5). The password is forgotten as soon as it
 * has served; a 401 ends it: nothing is sent again until another pair stands in the store.
 */
export function loginCredential(options: LoginOptions): CredentialSource {
  return new LoginCredential(options);
}

class LoginCredential implements CredentialSource {
  readonly #http: Http;
  readonly #store: TokenStore;
  readonly #clock: Clock;
  readonly #secrets = new Set<string>();
  #login: Login | null;
  /** The pair in use: the store is asked at the start and before a renewal, not for every request. */
  #held: Tokens | null = null;
  #refusedJwt: string | null = null;
  #flight: Promise<Tokens> | null = null;
  #ended: AppError | null = null;
  #pausedUntil = 0;

  constructor({ http, login, store, clock }: LoginOptions) {
    this.#http = http;
    this.#login = login;
    this.#store = store ?? memoryTokens();
    this.#clock = clock ?? systemClock;
    if (login) this.#secrets.add(login.password);
  }

  async header(signal?: AbortSignal): Promise<string> {
    if (this.#held && !this.#needsRenewal(this.#held)) return `Bearer ${this.#held.jwt}`;
    this.#flight ??= this.#current().finally(() => {
      this.#flight = null;
    });
    const { jwt } = await orAborted(this.#flight, signal);
    return `Bearer ${jwt}`;
  }

  refused(header: string): boolean {
    this.#refusedJwt = header.replace(/^Bearer /, '');
    return this.#ended === null;
  }

  whyRefused(): 'login_needed' {
    return 'login_needed';
  }

  secrets(): readonly string[] {
    return [...this.#secrets];
  }

  async #current(): Promise<Tokens> {
    const kept = await this.#read();
    // Whoever logged in elsewhere put another pair there; ours was refused and forgotten.
    if (this.#ended && !kept) throw this.#ended;
    this.#ended = null;
    if (kept && !this.#needsRenewal(kept)) return this.#hold(kept);
    return this.#store.alone(() => this.#renewAlone());
  }

  /** While no other process renews this pair: one that did so before has left its pair in the store. */
  async #renewAlone(): Promise<Tokens> {
    const kept = await this.#read();
    if (kept && !this.#needsRenewal(kept)) return this.#hold(kept);
    try {
      return await this.#keep(kept ? await this.#renewed(kept) : await this.#loggedIn());
    } catch (error) {
      if (isAppError(error, 'not_authenticated')) await this.#end(error);
      else if (kept && this.#isGood(kept)) return this.#pause(kept);
      throw error;
    }
  }

  /**
   * The pair that stands in the store. Where the store can't be read nothing is renewed, because another process may
   * have done so; a pair in hand goes on as long as it is good.
   */
  async #read(): Promise<Tokens | null> {
    try {
      return await this.#store.read();
    } catch (error) {
      if (this.#held && this.#isGood(this.#held)) return this.#pause(this.#held);
      throw error;
    }
  }

  #needsRenewal(tokens: Tokens): boolean {
    const now = this.#clock.now();
    if (tokens.jwt === this.#refusedJwt) return true;
    if (this.#isGood(tokens) && now < this.#pausedUntil) return false;
    return tokens.renewAt !== null && now >= tokens.renewAt;
  }

  /** Not refused, and not at its end by our clock. */
  #isGood({ jwt, endsAt }: Tokens): boolean {
    return jwt !== this.#refusedJwt && (endsAt === null || this.#clock.now() < endsAt);
  }

  #pause(tokens: Tokens): Tokens {
    this.#pausedUntil = this.#clock.now() + pauseMs;
    return this.#hold(tokens);
  }

  #hold(tokens: Tokens): Tokens {
    this.#held = tokens;
    this.#secrets.add(tokens.jwt);
    if (tokens.refreshToken !== null) this.#secrets.add(tokens.refreshToken);
    return tokens;
  }

  async #end(error: AppError): Promise<void> {
    this.#ended = error;
    this.#login = null;
    this.#held = null;
    await this.#store.write(null);
  }

  async #renewed(kept: Tokens): Promise<Tokens> {
    if (kept.refreshToken === null)
      throw new AppError('not_authenticated', { service: 'platform', why: 'login_needed' });
    this.#secrets.add(kept.refreshToken);
    const tries = this.#isGood(kept) ? 2 : undefined;
    return refreshTokens({ http: this.#http, token: kept.refreshToken, clock: this.#clock, tries });
  }

  async #loggedIn(): Promise<Tokens> {
    if (!this.#login) throw new AppError('not_authenticated', { service: 'platform', why: 'secret_missing' });
    return logIn({ http: this.#http, login: this.#login, clock: this.#clock });
  }

  /** The new pair is stored before anything is sent with it. */
  async #keep(tokens: Tokens): Promise<Tokens> {
    this.#hold(tokens);
    this.#held = null;
    await this.#store.write(tokens);
    this.#login = null;
    return this.#hold(tokens);
  }
}

/** One caller's cancel leaves the shared login to the others. */
function orAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new AppError('cancelled', {}));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    // Also where nobody waits any more: what fails then is not left without a listener.
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
