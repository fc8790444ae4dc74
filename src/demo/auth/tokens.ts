import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Faults } from '../faults.ts';
import { Problem } from '../problem.ts';
import { type ApiKey, type DemoSecrets, type Identity, engineer } from './identities.ts';

const sevenDays = 7 * 86_400;
const sixMonths = 182 * 86_400;

/** The response to a sign-in or a refresh (specification, section 5). */
interface TokenAnswer {
  readonly jwt: string;
  readonly auth_key: string;
  readonly refresh_token: string;
  readonly user_id: number;
  readonly widget_hash: string;
}

/** Issues and checks API keys, access tokens, and refresh tokens. */
export class Tokens {
  readonly #secret = randomBytes(32);
  readonly #keys: readonly ApiKey[];
  readonly #login: DemoSecrets['login'];
  readonly #faults: Faults;
  readonly #refresh = new Map<string, number>();
  #issued = 0;

  constructor(keys: readonly ApiKey[], login: DemoSecrets['login'], faults: Faults) {
    this.#keys = keys;
    this.#login = login;
    this.#faults = faults;
  }

  /** The sender of an `Authorization` header. @throws Problem 401 if it is missing, malformed, unknown, or expired */
  identify(header: string | undefined): Identity {
    const [, method, secret] = /^(API|Bearer) (\S+)$/.exec(header ?? '') ?? [];
    if (!method || !secret) throw new Problem(401, 'the Authorization header is missing or malformed');
    const identity = method === 'API' ? this.#byKey(secret) : this.#byToken(secret);
    if (!identity)
      throw new Problem(401, method === 'API' ? 'the API key is not valid' : 'the access token is not valid');
    return identity;
  }

  #byKey(secret: string): Identity | undefined {
    const match = this.#keys.find(({ key }) => key === secret);
    return match && (match.expiresAt === null || match.expiresAt > Date.now()) ? match.identity : undefined;
  }

  #byToken(token: string): Identity | undefined {
    if (this.#faults.access_revoked) return undefined;
    const [head = '', payload = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.#sign(`${head}.${payload}`));
    const signatureBytes = Buffer.from(signature);
    if (expected.length !== signatureBytes.length || !timingSafeEqual(expected, signatureBytes))
      return undefined;
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const alive =
      typeof claims === 'object' &&
      claims !== null &&
      'exp' in claims &&
      Number(claims.exp) * 1000 > Date.now();
    return alive ? engineer : undefined;
  }

  /** Tokens for an email and password. @throws Problem 401 if they are wrong */
  login(email: string, password: string): TokenAnswer {
    if (email.trim().toLowerCase() !== this.#login.email || password !== this.#login.password) {
      throw unknownLogin('The email or password is wrong.');
    }
    return this.#issue();
  }

  /** New tokens for a refresh token, which becomes invalid. @throws Problem 401 if it is invalid */
  refresh(token: string): TokenAnswer {
    const expires = this.#refresh.get(token);
    this.#refresh.delete(token);
    if (expires === undefined || expires <= Date.now() || this.#faults.refresh_revoked) {
      throw unknownLogin('The refresh token is not valid.');
    }
    return this.#issue();
  }

  #issue(): TokenAnswer {
    this.#issued += 1;
    const now = Math.floor(Date.now() / 1000);
    const lifetime = this.#faults.token_lifetime_s || sevenDays;
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = {
      sub: String(engineer.userId),
      company_id: engineer.companyId,
      iat: now,
      exp: now + lifetime,
      jti: String(this.#issued),
    };
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
    const jwt = `${signed}.${this.#sign(signed)}`;
    const refresh_token = randomBytes(24).toString('base64url');
    this.#refresh.set(refresh_token, (now + sixMonths) * 1000);
    return {
      jwt,
      auth_key: jwt,
      refresh_token,
      user_id: engineer.userId,
      widget_hash: randomBytes(16).toString('hex'),
    };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url');
  }
}

function unknownLogin(message: string): Problem {
  return new Problem(401, message, { body: { errors: { login: [message] } } });
}
