import { abortable } from '../../../../shared/abort.ts';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import { systemClock, type Clock } from '../http/retry.ts';
import type { CredentialSource, Http } from '../http/http.ts';
import {
  signIn,
  type SignInDetails,
  refreshTokens,
  memoryTokens,
  type Tokens,
  type TokenStore,
} from './tokens.ts';

interface SignInOptions {
  /** A client of the platform service without a credential. */
  readonly http: Http;
  /** Null: only the pair in the store is used. */
  readonly login: SignInDetails | null;
  readonly store?: TokenStore | undefined;
  readonly clock?: Clock | undefined;
}

/** Pause after a failed early refresh, in milliseconds, while the token is still valid. */
const renewalPauseMs = 30_000;

/**
 * Signs in with email and password at the first request, and refreshes the token before it expires and after a 401, one
 * process at a time (specification, section 5). The password is dropped after the first sign-in. If the service rejects
 * it, nothing is sent until the store has other tokens.
 */
export class SignInCredential implements CredentialSource {
  readonly #http: Http;
  readonly #store: TokenStore;
  readonly #clock: Clock;
  readonly #secrets = new Set<string>();
  #login: SignInDetails | null;
  /** The pair in use. The store is read at the start and before a refresh, not for every request. */
  #tokens: Tokens | null = null;
  #refusedJwt: string | null = null;
  #pendingTokens: Promise<Tokens> | null = null;
  #finalError: AppError | null = null;
  /** By the monotonic clock, in milliseconds. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor({ http, login, store, clock }: SignInOptions) {
    this.#http = http;
    this.#login = login;
    this.#store = store ?? memoryTokens();
    this.#clock = clock ?? systemClock;
    if (login) this.#secrets.add(login.password);
  }

  /** @throws AppError `not_authenticated`, `cancelled`; other errors of the platform service */
  async header(signal?: AbortSignal): Promise<string> {
    if (this.#tokens && !this.#needsRenewal(this.#tokens)) return `Bearer ${this.#tokens.jwt}`;
    this.#pendingTokens ??= this.#currentTokens().finally(() => {
      this.#pendingTokens = null;
    });
    const { jwt } = await abortable(this.#pendingTokens, signal);
    return `Bearer ${jwt}`;
  }

  onRefused(header: string): boolean {
    this.#refusedJwt = header.replace(/^Bearer /, '');
    return this.#finalError === null;
  }

  refusalReason(): 'login_needed' {
    return 'login_needed';
  }

  secrets(): readonly string[] {
    return [...this.#secrets];
  }

  async #currentTokens(): Promise<Tokens> {
    const storedTokens = await this.#read();
    // Another process signed in and stored another pair; the rejected one is dropped.
    if (this.#finalError && !storedTokens) throw this.#finalError;
    this.#finalError = null;
    if (storedTokens && !this.#needsRenewal(storedTokens)) return this.#useTokens(storedTokens);
    return this.#store.withLock(() => this.#renewUnderLock());
  }

  /** Runs while no other process refreshes this pair. A process that did so before has stored the new pair. */
  async #renewUnderLock(): Promise<Tokens> {
    const storedTokens = await this.#read();
    if (storedTokens && !this.#needsRenewal(storedTokens)) return this.#useTokens(storedTokens);
    try {
      return await this.#storeTokens(storedTokens ? await this.#refresh(storedTokens) : await this.#signIn());
    } catch (error) {
      if (isAppError(error, 'not_authenticated')) await this.#end(error);
      else if (storedTokens && this.#isGood(storedTokens)) return this.#pause(storedTokens);
      throw error;
    }
  }

  /**
   * The pair in the store. If the store can't be read, nothing is refreshed, because another process may have done so; the
   * current pair is used while it is valid.
   */
  async #read(): Promise<Tokens | null> {
    try {
      return await this.#store.read();
    } catch (error) {
      if (this.#tokens && this.#isGood(this.#tokens)) return this.#pause(this.#tokens);
      throw error;
    }
  }

  #needsRenewal(tokens: Tokens): boolean {
    if (tokens.jwt === this.#refusedJwt) return true;
    if (this.#isGood(tokens) && this.#clock.elapsed() < this.#pausedUntil) return false;
    return tokens.renewAt !== null && this.#clock.now() >= tokens.renewAt;
  }

  /** Whether it was not rejected and has not expired by this computer's clock. */
  #isGood({ jwt, endsAt }: Tokens): boolean {
    return jwt !== this.#refusedJwt && (endsAt === null || this.#clock.now() < endsAt);
  }

  #pause(tokens: Tokens): Tokens {
    this.#pausedUntil = this.#clock.elapsed() + renewalPauseMs;
    return this.#useTokens(tokens);
  }

  #useTokens(tokens: Tokens): Tokens {
    this.#tokens = tokens;
    this.#secrets.add(tokens.jwt);
    if (tokens.refreshToken !== null) this.#secrets.add(tokens.refreshToken);
    return tokens;
  }

  async #end(error: AppError): Promise<void> {
    this.#finalError = error;
    this.#login = null;
    this.#tokens = null;
    await this.#store.write(null);
  }

  async #refresh(storedTokens: Tokens): Promise<Tokens> {
    if (storedTokens.refreshToken === null)
      throw new AppError('not_authenticated', { service: 'platform', why: 'login_needed' });
    this.#secrets.add(storedTokens.refreshToken);
    const maxTries = this.#isGood(storedTokens) ? 2 : undefined;
    return refreshTokens({
      http: this.#http,
      token: storedTokens.refreshToken,
      clock: this.#clock,
      maxTries,
    });
  }

  async #signIn(): Promise<Tokens> {
    if (!this.#login) throw new AppError('not_authenticated', { service: 'platform', why: 'secret_missing' });
    return signIn({ http: this.#http, login: this.#login, clock: this.#clock });
  }

  /** The new pair is stored before anything is sent with it. */
  async #storeTokens(tokens: Tokens): Promise<Tokens> {
    this.#useTokens(tokens);
    this.#tokens = null;
    await this.#store.write(tokens);
    this.#login = null;
    return this.#useTokens(tokens);
  }
}
