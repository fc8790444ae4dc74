import {
  type ConnectionChange,
  type ConnectionDraft,
  type ConnectionProxy,
  type Credential,
  connectionColor,
  type Connection,
} from '../../../shared/connections/connections.ts';
import { withoutUndefined } from '../../../shared/defined.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { ClientCertificates } from './client-certificates.ts';
import type { ConnectionProfile } from './registry.ts';
import type { StoredProfile } from './stored-profiles.ts';

/** The profile of a stored profile. */
export function fromStoredProfile(stored: StoredProfile): ConnectionProfile {
  const { secret: _secret, ...profile } = stored;
  return { ...profile, sample: false, saved: true };
}

/** The stored profile of a profile. */
export function toStoredProfile(profile: ConnectionProfile, secret: StoredProfile['secret']): StoredProfile {
  const { sample: _sample, saved: _saved, authorities, ...rest } = profile;
  return { ...rest, authorities: [...authorities], secret };
}

/** Whether two profiles differ in any stored field. */
export function differs(a: ConnectionProfile, b: ConnectionProfile): boolean {
  const text = (profile: ConnectionProfile) =>
    JSON.stringify(
      Object.entries(withoutUndefined(toStoredProfile(profile, 'none'))).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return text(a) !== text(b);
}

interface CertificateReaders {
  /** Reads the certificates of a CA file. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  readonly certificates: Pick<ClientCertificates, 'resolve'>;
}

/**
 * Applies a change to a profile.
 * @returns `proxyPassword`: the new password; null: none, because a password is never sent to another proxy
 *   without confirmation; undefined: unchanged
 * @throws AppError `invalid_input` when the secret would be sent to another host; `file_unsuitable`,
 *   `file_unreadable`
 */
export async function applyChange(
  before: ConnectionProfile,
  {
    connection: _id,
    caFile,
    credential,
    saveAnyway: _saveAnyway,
    proxy: proxyInput,
    clientCertificate: certificateInput,
    ...rest
  }: ConnectionChange,
  readers: CertificateReaders,
) {
  const changes = withoutUndefined(rest);
  const keptAuthorities = caFile === null ? [] : [...before.authorities];
  const authorities = caFile ? await readers.authorities(caFile) : keptAuthorities;
  const proxy = proxyInput === undefined ? before.proxy : proxyOf(proxyInput);
  assertCredentialsStay(before, { ...before, ...changes, authorities, proxy }, credential);
  const clientCertificate = await readers.certificates.resolve(certificateInput, before.clientCertificate);
  const after: ConnectionProfile = { ...before, ...changes, authorities, proxy, clientCertificate };
  const password = isSameProxy(before.proxy, proxy) ? proxyInput?.password : (proxyInput?.password ?? null);
  return {
    after,
    // Only what was changed: another process may have changed the rest meanwhile.
    changes: {
      ...changes,
      ...(caFile === undefined ? {} : { authorities }),
      ...(proxyInput === undefined ? {} : { proxy }),
      ...(certificateInput === undefined ? {} : { clientCertificate }),
    },
    proxyPassword: password,
  };
}

/** The proxy without its password. */
export function proxyOf(proxyInput: ConnectionDraft['proxy'] | null): ConnectionProxy | undefined {
  if (!proxyInput) return undefined;
  const { address, user } = proxyInput;
  return user === undefined ? { address } : { address, user };
}

const isSameProxy = (a: ConnectionProxy | undefined, b: ConnectionProxy | undefined): boolean =>
  a?.address === b?.address && a?.user === b?.user;

/**
 * Credentials are never sent to another host unless they are entered again: this protects against mistakes
 * and against a compromised window. A proxy with a certificate that the connection trusts could read them
 * too.
 * @throws AppError `invalid_input`
 */
function assertCredentialsStay(
  before: ConnectionProfile,
  after: ConnectionProfile,
  credential: Credential | undefined,
): void {
  if (credential !== undefined) return;
  if (canReadMoreTraffic(before, after))
    throw invalidInput(
      'A proxy and a CA file together can read your traffic. To change either, enter the credentials again.',
      { field: 'credential' },
    );
  const origins = [before.dataUrl, before.platformUrl].map((url) => new URL(url).origin);
  const newUrl = [after.dataUrl, after.platformUrl].find((url) => !origins.includes(new URL(url).origin));
  if (newUrl === undefined) return;
  const { host } = new URL(newUrl);
  throw invalidInput(
    `The address leads to another host, ${host}. Enter the credentials again to send them there.`,
    { field: 'credential' },
  );
}

/** Whether a change adds a proxy or a trusted authority such that both together can read the traffic. */
function canReadMoreTraffic(before: ConnectionProfile, after: ConnectionProfile): boolean {
  if (!after.proxy) return false;
  const isOtherProxy = after.proxy.address !== before.proxy?.address;
  const isMoreTrusted = after.authorities.some((authority) => !before.authorities.includes(authority));
  return isMoreTrusted || (isOtherProxy && after.authorities.length > 0);
}

/** The email address of a sign-in; absent for other credentials. */
export function emailOf(credential: Credential | undefined): string | undefined {
  return credential?.method === 'login' ? credential.email : undefined;
}

type Named = Pick<Connection, 'name' | 'color'>;

/** A name that no other connection has, with a number if necessary: "North Ridge (2)". */
export function freeName(name: string, others: readonly Named[]): string {
  const usedNames = new Set(others.map((other) => other.name.toLowerCase()));
  let free = name;
  for (let n = 2; usedNames.has(free.toLowerCase()); n += 1) free = `${name} (${n})`;
  return free;
}

/** The color, or the first one that no other connection has. */
export function freeColor(color: Connection['color'], others: readonly Named[]): Connection['color'] {
  const usedColors = new Set(others.map((other) => other.color));
  if (!usedColors.has(color)) return color;
  return connectionColor.options.find((option) => !usedColors.has(option)) ?? color;
}
