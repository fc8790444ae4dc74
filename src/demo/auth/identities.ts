import { hash } from '../random.ts';
import type { Well } from '../platform/world.ts';

/** The sender of a request, with its permissions (specification, section 5). */
export interface Identity {
  readonly name: string;
  readonly companyId: number;
  readonly level: 'read' | 'write' | 'admin';
  readonly userId: number;
}

/** An API key of the demo. */
export interface ApiKey {
  readonly key: string;
  readonly identity: Identity;
  /** When it expires, in Unix milliseconds; null: never. */
  readonly expiresAt: number | null;
}

export interface DemoSecrets {
  readonly apiKeys: { readonly write: string; readonly read: string; readonly admin: string };
  readonly login: { readonly email: string; readonly password: string };
}

/** Credentials of the demo: the same for the same seed, and valid nowhere else. */
export function demoSecrets(
  seed: number,
): DemoSecrets & { readonly expiredKey: string; readonly otherCompanyKey: string } {
  const key = (name: string, salt: number): string =>
    `demo-${name}-${[1, 2, 3].map((part) => hash(seed, salt, part).toString(16).padStart(8, '0')).join('')}`;
  return {
    apiKeys: { write: key('write', 1), read: key('read', 2), admin: key('admin', 3) },
    login: { email: 'engineer@bluebonnet.example', password: key('password', 4) },
    expiredKey: key('expired', 5),
    otherCompanyKey: key('other', 6),
  };
}

const identity = (name: string, level: Identity['level'], companyId = 1, userId = 41): Identity => ({
  name,
  companyId,
  level,
  userId,
});

/** The user whom the demo signs in. */
export const engineer = identity('engineer', 'write', 1, 42);

/** The keys of the demo, one for each level, one of the other company, and one that has expired. */
export function apiKeys(seed: number): ApiKey[] {
  const secrets = demoSecrets(seed);
  return [
    { key: secrets.apiKeys.read, identity: identity('read', 'read'), expiresAt: null },
    { key: secrets.apiKeys.write, identity: identity('write', 'write'), expiresAt: null },
    { key: secrets.apiKeys.admin, identity: identity('admin', 'admin'), expiresAt: null },
    { key: secrets.otherCompanyKey, identity: identity('other', 'write', 2, 77), expiresAt: null },
    { key: secrets.expiredKey, identity: identity('expired', 'write'), expiresAt: Date.UTC(2024, 0, 1) },
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
