import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject, parseJson } from '../shared/json.ts';
import type { Faults } from './faults.ts';
import type { Well } from './platform/world.ts';
import { hash } from './random.ts';
import { Problem } from './service.ts';

/** The sender of a request, with its permissions (specification, section 5). */
export interface Identity {
  readonly companyId: number;
  readonly level: 'read' | 'write' | 'admin';
  readonly userId: number;
}

interface ApiKey {
  readonly key: string;
  readonly identity: Identity;
  /** When it expires, in Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** Credentials of the demo: the same for the same seed, and valid nowhere else. */
export function demoSecrets(seed: number) {
  const key = (name: string, salt: number): string =>
    `demo-${name}-${[1, 2, 3].map((part) => hash(seed, salt, part).toString(16).padStart(8, '0')).join('')}`;
  return {
    apiKeys: { write: key('write', 1), read: key('read', 2), admin: key('admin', 3) },
    login: { email: 'engineer@bluebonnet.example', password: key('password', 4) },
    expiredKey: key('expired', 5),
    otherCompanyKey: key('other', 6),
  };
}

type Login = Readonly<ReturnType<typeof demoSecrets>['login']>;

const identity = (level: Identity['level'], companyId = 1, userId = 41): Identity => ({
  companyId,
  level,
  userId,
});

/** The user whom the demo signs in. */
const engineer = identity('write', 1, 42);

/** The keys of the demo, one for each level, one of the other company, and one that has expired. */
export function apiKeys(seed: number): ApiKey[] {
  const secrets = demoSecrets(seed);
  return [
    { key: secrets.apiKeys.read, identity: identity('read'), expiresAt: null },
    { key: secrets.apiKeys.write, identity: identity('write'), expiresAt: null },
    { key: secrets.apiKeys.admin, identity: identity('admin'), expiresAt: null },
    { key: secrets.otherCompanyKey, identity: identity('write', 2, 77), expiresAt: null },
    { key: secrets.expiredKey, identity: identity('write'), expiresAt: Date.UTC(2024, 0, 1) },
  ];
}

/**
 * Whether an identity may see a well and its data: its company's, shared with its company, or all as an administrator.
 */
export function seesWell(who: Identity, well: Well): boolean {
  if (who.level === 'admin') return true;
  if (well.visibility === 'visible_to_admin') return false;
  return well.companyId === who.companyId || well.sharedWith.includes(who.companyId);
}

const sevenDays = 7 * 86_400;
const sixMonths = 182 * 86_400;

/** Issues and checks API keys, access tokens, and refresh tokens. */
export class Tokens {
  readonly #secret = randomBytes(32);
  readonly #keys: readonly ApiKey[];
  readonly #login: Login;
  readonly #faults: Faults;
  readonly #refresh = new Map<string, number>();
  #issued = 0;

  constructor(keys: readonly ApiKey[], login: Login, faults: Faults) {
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
    const claims = parseJson(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) && Number(claims['exp']) * 1000 > Date.now() ? engineer : undefined;
  }

  /** Tokens for an email and password. @throws Problem 401 if they are wrong */
  login(email: string, password: string) {
    if (email.trim().toLowerCase() !== this.#login.email || password !== this.#login.password) {
      throw unknownLogin('The email or password is wrong.');
    }
    return this.#issue();
  }

  /** New tokens for a refresh token, which becomes invalid. @throws Problem 401 if it is invalid */
  refresh(token: string) {
    const expires = this.#refresh.get(token);
    this.#refresh.delete(token);
    if (expires === undefined || expires <= Date.now() || this.#faults.refresh_revoked) {
      throw unknownLogin('The refresh token is not valid.');
    }
    return this.#issue();
  }

  #issue() {
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
