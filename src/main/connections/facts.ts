import {
  type ConnectionChange,
  type ConnectionDraft,
  type ConnectionProxy,
  type Credential,
  connectionColor,
  type Connection,
} from '../../shared/connections/connections.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { Facts } from './book.ts';
import type { Profile } from './profiles.ts';

/** What a profile on disk says. */
export function factsOf(profile: Profile): Facts {
  const { id, name, color, dataUrl, platformUrl, method, email, readOnly, authorities, acceptedAt, proxy } =
    profile;
  const known = { id, name, color, dataUrl, platformUrl, method, email, readOnly, authorities, acceptedAt };
  return { ...known, ...(proxy ? { proxy } : {}), sample: false, saved: true };
}

/** What goes to disk of a connection. */
export function profileOf(facts: Facts, secret: Profile['secret']): Profile {
  const { sample: _sample, saved: _saved, authorities, ...rest } = facts;
  return { ...rest, authorities: [...authorities], secret };
}

/** Whether another process has changed what is known of a connection; what one side alone has counts too. */
export function isOther(a: Facts, b: Facts): boolean {
  const text = (facts: Facts) =>
    JSON.stringify(
      Object.entries(profileOf(facts, 'none'))
        .filter(([, value]) => value !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return text(a) !== text(b);
}

/**
 * What is known of a connection after a change, and what is to be another.
 * `proxyPassword`: another one; null: none, because a password goes to no other proxy unasked; undefined: it stays.
 * @param readAuthorities gives the certificates in a file that a person chose
 * @throws AppError `invalid_input` when the secret would go to another host unasked; as reading the file
 */
export async function afterChange(
  before: Facts,
  { connection: _id, caFile, credential, saveAnyway: _unused, proxy: typed, ...rest }: ConnectionChange,
  readAuthorities: (caFile: string) => Promise<string[]>,
) {
  const wanted = given(rest);
  const kept = caFile === null ? [] : [...before.authorities];
  const authorities = caFile ? await readAuthorities(caFile) : kept;
  const proxy = typed === undefined ? before.proxy : proxyOf(typed);
  const after: Facts = { ...before, ...wanted, authorities, proxy };
  assertMayGo(before, after, credential);
  const password = isSameProxy(before.proxy, proxy) ? typed?.password : (typed?.password ?? null);
  return { after, wanted: { ...wanted, authorities, proxy }, proxyPassword: password };
}

/** The proxy without its password. */
export function proxyOf(typed: ConnectionDraft['proxy'] | null): ConnectionProxy | undefined {
  if (!typed) return undefined;
  const { address, user } = typed;
  return user === undefined ? { address } : { address, user };
}

const isSameProxy = (a: ConnectionProxy | undefined, b: ConnectionProxy | undefined): boolean =>
  a?.address === b?.address && a?.user === b?.user;

/** A change without what is to stay as it is. */
function given<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  // What is left is what was given, under the same names.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * A secret goes to no other host unless the person gives it again: not by mistake, and not because somebody took over
 * the window. A proxy whose certificate the connection trusts could read it as well as another host.
 * @throws AppError `invalid_input`
 */
function assertMayGo(before: Facts, after: Facts, credential: Credential | undefined): void {
  if (credential !== undefined) return;
  if (mayReadMore(before, after))
    throw invalidInput(
      'A proxy and a CA file together can read your traffic. To change either, enter the credentials again.',
      { field: 'credential' },
    );
  const known = [before.dataUrl, before.platformUrl].map((url) => new URL(url).origin);
  const elsewhere = [after.dataUrl, after.platformUrl].find((url) => !known.includes(new URL(url).origin));
  if (elsewhere === undefined) return;
  const { host } = new URL(elsewhere);
  throw invalidInput(
    `The address leads to another host, ${host}. Enter the credentials again to send them there.`,
    { field: 'credential' },
  );
}

/** Whether another proxy is used with authorities of the connection's own, or another authority is trusted with a proxy of its own. */
function mayReadMore(before: Facts, after: Facts): boolean {
  if (!after.proxy) return false;
  const isOtherProxy = after.proxy.address !== before.proxy?.address;
  const isMoreTrusted = after.authorities.some((one) => !before.authorities.includes(one));
  return isMoreTrusted || (isOtherProxy && after.authorities.length > 0);
}

export function emailOf(credential: Credential | undefined): string | undefined {
  return credential?.method === 'login' ? credential.email : undefined;
}

type Named = Pick<Connection, 'name' | 'color'>;

/** The name, with a number behind it when another connection has it already: "North Ridge (2)". */
export function freeName(name: string, others: readonly Named[]): string {
  const taken = new Set(others.map((other) => other.name.toLowerCase()));
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name} (${n})`;
  return free;
}

/** The colour, or the first that no other connection has, while there is one. */
export function freeColor(color: Connection['color'], others: readonly Named[]): Connection['color'] {
  const taken = new Set(others.map((other) => other.color));
  if (!taken.has(color)) return color;
  return connectionColor.options.find((one) => !taken.has(one)) ?? color;
}
