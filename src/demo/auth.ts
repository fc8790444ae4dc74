import { randomBytes } from 'node:crypto';
import { type JsonObject, type JsonValue, isObject, stringifyJson } from '../shared/json.ts';
import type { Faults } from './faults.ts';
import type { Well, World } from './platform/world.ts';
import { hash } from './random.ts';
import { type Call, Problem } from './service.ts';
import { conditionsOf, type Reading } from './store.ts';

/** What the sender of a request may do, as one of the first company (specification, section 5). */
export type Identity = keyof ReturnType<typeof demoSecrets>['apiKeys'];

/** Credentials of the demo: the same for the same seed, and valid nowhere else. */
export function demoSecrets(seed: number) {
  const key = (name: string, salt: number): string =>
    `demo-${name}-${[1, 2, 3].map((part) => hash(seed, salt, part).toString(16).padStart(8, '0')).join('')}`;
  return {
    apiKeys: { write: key('write', 1), read: key('read', 2), admin: key('admin', 3) },
    login: { email: 'engineer@bluebonnet.example', password: key('password', 4) },
    expiredKey: key('expired', 5),
  };
}

/** The company of every sender. */
export const ownCompany = 1;
const userId = 42;
const sevenDays = 7 * 86_400;
const sixMonths = 182 * 86_400;

/** Checks API keys; issues and checks access tokens and refresh tokens. */
export class Tokens {
  /** By API key. An expired one is as invalid as one that never was. */
  readonly #identities: ReadonlyMap<string, Identity>;
  readonly #login: Readonly<ReturnType<typeof demoSecrets>['login']>;
  readonly #faults: Faults;
  // When each token expires, in Unix milliseconds.
  readonly #access = new Map<string, number>();
  readonly #refresh = new Map<string, number>();

  constructor(seed: number, faults: Faults) {
    const { apiKeys: { read, write, admin }, login } = demoSecrets(seed); // oxfmt-ignore
    this.#identities = new Map([[read, 'read'], [write, 'write'], [admin, 'admin']]); // oxfmt-ignore
    this.#login = login;
    this.#faults = faults;
  }

  /** The sender of an `Authorization` header. @throws Problem 401 if it is missing, malformed, unknown, or expired */
  identify(header: string | undefined): Identity {
    const [, method, secret] = /^(API|Bearer) (\S+)$/.exec(header ?? '') ?? [];
    if (!method || !secret) throw new Problem(401, 'the Authorization header is missing or malformed');
    const identity = method === 'API' ? this.#identities.get(secret) : this.#byToken(secret);
    if (!identity)
      throw new Problem(401, `the ${method === 'API' ? 'API key' : 'access token'} is not valid`);
    return identity;
  }

  #byToken(token: string): Identity | undefined {
    const isValid = (this.#access.get(token) ?? 0) > Date.now();
    return isValid && !this.#faults.access_revoked ? 'write' : undefined;
  }

  /** Tokens for an email and password. @throws Problem 401 if they are wrong */
  login(email: string, password: string) {
    if (email.trim().toLowerCase() !== this.#login.email || password !== this.#login.password)
      throw unknownLogin('The email or password is wrong.');
    return this.#issue();
  }

  /** New tokens for a refresh token, which becomes invalid. @throws Problem 401 if it is invalid */
  refresh(token: string) {
    const expires = this.#refresh.get(token) ?? 0;
    this.#refresh.delete(token);
    if (expires <= Date.now() || this.#faults.refresh_revoked)
      throw unknownLogin('The refresh token is not valid.');
    return this.#issue();
  }

  #issue() {
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + (this.#faults.token_lifetime_s || sevenDays);
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = { sub: String(userId), company_id: ownCompany, iat, exp };
    // Clients read the claims; the signature is checked by nobody.
    const signature = randomBytes(32).toString('base64url');
    const jwt = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.${signature}`;
    const refresh_token = randomBytes(24).toString('base64url');
    this.#access.set(jwt, exp * 1000);
    this.#refresh.set(refresh_token, (iat + sixMonths) * 1000);
    const widget_hash = randomBytes(16).toString('hex');
    return { jwt, auth_key: jwt, refresh_token, user_id: userId, widget_hash };
  }
}

function unknownLogin(message: string): Problem {
  return new Problem(401, message, { body: { errors: { login: [message] } } });
}

/** Whether an identity may see a well and its data: its company's, shared with it, or all as an administrator. */
export const seesWell = (identity: Identity, { visibility, shared }: Well): boolean =>
  identity === 'admin' || (visibility !== 'visible_to_admin' && shared);

/** Whether an identity may use data of an asset, or of a company: its own, or one that shares a well; null: unknown. */
function mayUse(
  { assetById, companies, wells }: World,
  identity: Identity,
  kind: 'asset' | 'company',
  id: JsonValue,
): boolean | null {
  if (kind === 'asset') {
    const asset = typeof id === 'number' ? assetById.get(id) : undefined;
    return asset ? !asset.well || seesWell(identity, asset.well) : null;
  }
  if (identity === 'admin' || id === ownCompany) return true;
  if (!companies.some((company) => company.id === id)) return null;
  return wells.some((well) => well.company_id === id && well.shared);
}

/** The scopes of records that an identity may see. */
export function visibleScopes(world: World, identity: Identity): Reading['visible'] {
  if (identity === 'admin') return () => true;
  return ({ asset_id, company_id, metadata }) => {
    const asset = asset_id ?? (isObject(metadata) ? metadata['asset_id'] : null) ?? null;
    if (asset !== null) return mayUse(world, identity, 'asset', asset) === true;
    return (company_id ?? ownCompany) === ownCompany;
  };
}

/** Rejects a query or record that names an asset or company that the sender may not use. @throws Problem 403 */
export function checkScope({ service, identity }: Call, query: JsonObject, mustExist = false): void {
  for (const [path, condition] of conditionsOf(query)) {
    const kind = path.endsWith('asset_id') ? 'asset' : 'company';
    for (const id of path.endsWith(`${kind}_id`) ? namedIds(condition) : [])
      if (!(mayUse(service.world, identity, kind, id) ?? !mustExist))
        throw new Problem(403, `no permission for ${kind} ${stringifyJson(id)}`);
  }
}

const namedIds = (condition: JsonValue): JsonValue[] =>
  isObject(condition) ? [condition['$eq'] ?? [], condition['$in'] ?? []].flat() : [condition];
