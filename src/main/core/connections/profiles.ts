import { randomUUID } from '../../world/random.ts';
import * as z from 'zod';
import {
  type Connection,
  type ConnectionChange,
  type ConnectionDraft,
  type ConnectionProxy,
  type Credential,
  connectionColor,
  connectionDraft,
  proxyAddress,
  serviceUrl,
} from '../../../shared/connections/connections.ts';
import type { exportedProfiles } from '../../../shared/contract/connections.ts';
import { jsonOrNull, withoutUndefined } from '../../../shared/json.ts';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { plainId, checkSharedHead } from '../../../shared/files/files.ts';
import { plainName } from '../files/plain-name.ts';
import { listReader, openSharedFile } from '../files/shared-file.ts';
import { createQueue } from '../queue.ts';
import { wallMs } from '../../world/time.ts';
import {
  environmentId,
  parseAuthorities,
  storedClientCertificate,
  type Certificates,
} from './certificates.ts';
import { verifyCredential } from './check.ts';
import type { ConnectionRegistry, EntryFactory } from './connections.ts';
import {
  type createSecretStores,
  type ExtraPasswords,
  type Secret,
  type SecretState,
  type SecretStore,
  sessionSecretStore,
} from './secrets.ts';

/** A saved connection on disk, without its secret. */
const storedProfile = z.object({
  /** Also the name of a lock file. */
  id: plainId,
  name: z.string().min(1),
  color: connectionColor,
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  method: z.enum(['api_key', 'login']),
  email: z.string().optional(),
  readOnly: z.boolean(),
  /** Trusted certificates in PEM, beside the system's. */
  authorities: z.array(z.string()),
  /** The connection's own proxy; its password is in the keychain. */
  proxy: z.object({ address: proxyAddress, user: z.string().optional() }).optional(),
  clientCertificate: storedClientCertificate,
  /** Where the secret is; `none`: nowhere, or in the memory of a process. */
  secret: z.enum(['keychain', 'none']),
  /** When its key was last accepted or its sign-in succeeded: ISO 8601, UTC. */
  acceptedAt: z.string().optional(),
  /** When its secret was replaced, which other processes then read: ISO 8601, UTC. */
  replacedAt: z.string().optional(),
});
export type StoredProfile = z.infer<typeof storedProfile>;

/** A connection without its secret. */
export interface ConnectionProfile extends Readonly<Omit<StoredProfile, 'secret'>> {
  readonly sample: boolean;
  /** Whether its profile is on disk; else it exists until this process ends. */
  readonly saved: boolean;
}

export type ProfileStore = ReturnType<typeof openProfiles>;

/**
 * The saved connections in `<data>/connections.json`, which several processes can change.
 * @param warn called when a damaged file was set aside
 */
export function openProfiles(dataFolder: string, warn: (sentence: string) => void) {
  const { locked, read, write } = openSharedFile<StoredProfile[]>({
    dataFolder,
    name: 'connections',
    format: 1,
    nothing: [],
    read: listReader('connections', storedProfile),
    what: 'saved connections',
    warn,
  });
  return {
    /** @throws AppError `file_too_new`, `file_unreadable` */
    read,
    /**
     * Changes the profiles under a lock.
     * @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable`
     */
    change: (edit: (profiles: readonly StoredProfile[]) => StoredProfile[]): Promise<StoredProfile[]> =>
      locked(async (profiles) => {
        const connections = edit(profiles);
        await write({ connections });
        return connections;
      }),
  };
}

function fromStoredProfile(stored: StoredProfile): ConnectionProfile {
  const { secret: _secret, ...profile } = stored;
  return { ...profile, sample: false, saved: true };
}

function toStoredProfile(profile: ConnectionProfile, secret: StoredProfile['secret']): StoredProfile {
  const { sample: _sample, saved: _saved, ...rest } = profile;
  return { ...rest, secret };
}

/** Whether two profiles differ in any stored field. */
function differs(a: ConnectionProfile, b: ConnectionProfile): boolean {
  const text = (profile: ConnectionProfile) =>
    JSON.stringify(
      Object.entries(withoutUndefined(toStoredProfile(profile, 'none'))).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return text(a) !== text(b);
}

/**
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
  certificates: Certificates,
) {
  const changes = withoutUndefined(rest);
  const keptAuthorities = caFile === null ? [] : before.authorities;
  const authorities = caFile ? await certificates.authorities(caFile) : keptAuthorities;
  const proxy = proxyInput === undefined ? before.proxy : proxyOf(proxyInput);
  assertCredentialsStay(before, { ...before, ...changes, authorities, proxy }, credential);
  const clientCertificate = await certificates.resolve(certificateInput, before.clientCertificate);
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
function proxyOf(proxyInput: ConnectionDraft['proxy'] | null): ConnectionProxy | undefined {
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
  const host = newHost(before, after);
  if (host === undefined) return;
  throw invalidInput(
    `The address leads to another host, ${host}. Enter the credentials again to send them there.`,
    { field: 'credential' },
  );
}

/** A host that requests go to after a change, but not before it. */
function newHost(before: ConnectionProfile, after: ConnectionProfile): string | undefined {
  const origins = [before.dataUrl, before.platformUrl].map((url) => new URL(url).origin);
  const urls = [after.dataUrl, after.platformUrl].map((url) => new URL(url));
  return urls.find(({ origin }) => !origins.includes(origin))?.host;
}

/** Whether a change adds a proxy or a trusted authority such that both together can read the traffic. */
function canReadMoreTraffic(before: ConnectionProfile, after: ConnectionProfile): boolean {
  if (!after.proxy) return false;
  const isOtherProxy = after.proxy.address !== before.proxy?.address;
  const isMoreTrusted = after.authorities.some((authority) => !before.authorities.includes(authority));
  return isMoreTrusted || (isOtherProxy && after.authorities.length > 0);
}

/** The email address of a sign-in; absent for other credentials. */
function emailOf(credential: Credential | undefined): string | undefined {
  return credential?.method === 'login' ? credential.email : undefined;
}

/** The profile of a draft, which isn't saved. @throws AppError of its certificates */
export async function profileOf(
  draft: ConnectionDraft,
  certificates: Certificates,
): Promise<ConnectionProfile> {
  const { name, color, dataUrl, platformUrl, readOnly, credential } = draft;
  return {
    id: randomUUID(),
    name,
    color,
    dataUrl,
    platformUrl,
    method: credential.method,
    email: emailOf(credential),
    readOnly,
    sample: false,
    saved: false,
    authorities: await certificates.authorities(draft.caFile),
    clientCertificate: await certificates.resolve(draft.clientCertificate),
    proxy: proxyOf(draft.proxy),
  };
}

type Named = Pick<Connection, 'name' | 'color'>;

/** A name that no other connection has, with a number if necessary: "North Ridge (2)". */
export function freeName(name: string, others: readonly Named[]): string {
  const usedNames = new Set(others.map((other) => other.name.toLowerCase()));
  let free = name;
  for (let n = 2; usedNames.has(free.toLowerCase()); n += 1) free = `${name} (${n})`;
  return free;
}

/** The connection with a free name, and with its color, or the first one that no other connection has. */
function distinct<T extends Named>(connection: T, others: readonly Named[]): T {
  const usedColors = new Set(others.map((other) => other.color));
  const colors = [connection.color, ...connectionColor.options];
  const color = colors.find((option) => !usedColors.has(option)) ?? connection.color;
  return { ...connection, name: freeName(connection.name, others), color };
}

interface SavedDependencies extends EntryFactory {
  readonly registry: ConnectionRegistry;
  /** Null: nothing is saved, in a process without a data folder. */
  readonly profiles: ProfileStore | null;
  readonly secretStore: ReturnType<typeof createSecretStores>;
  readonly proxyPasswords: ExtraPasswords;
  readonly certificates: Certificates;
  readonly needsKeychain: boolean;
  /** Enqueues a small disk write. */
  readonly enqueue: (work: () => Promise<unknown>) => void;
}

/** One day: the time of the last acceptance is saved at most this often. */
const dayMs = 86_400_000;

/** The saved connections and their secrets: on disk, in the keychain, and in the registry, which agree. */
export class SavedConnections {
  readonly #dependencies: SavedDependencies;
  /** Runs changes of the list one after another. */
  readonly #enqueue = createQueue();

  constructor(dependencies: SavedDependencies) {
    this.#dependencies = dependencies;
  }

  /** Loads changes by other processes. @throws AppError `file_too_new`, `file_unreadable` */
  load(): Promise<void> {
    return this.#enqueue(() => this.#load());
  }

  /** Whether a connection is read-only now, in this or another process, without waiting for changes of the list. */
  async isReadOnly({ id, saved, readOnly }: ConnectionProfile): Promise<boolean> {
    const stored = saved ? await this.#dependencies.profiles?.read().catch(() => undefined) : undefined;
    return stored?.find((profile) => profile.id === id)?.readOnly ?? readOnly;
  }

  /**
   * Adds a connection after verifying its credentials.
   * @throws AppError as {@link verifyCredential}; `file_too_new`, `file_unreadable`, `file_unwritable`;
   *   nothing is saved then
   */
  async add(draft: ConnectionDraft, signal?: AbortSignal): Promise<Connection> {
    const { credential } = draft;
    const target = await profileOf(draft, this.#dependencies.certificates);
    const password = draft.proxy?.password ?? null;
    const networkOptions = this.#dependencies.networkOptions(target, async () => password);
    const secret = await this.#withCertificate(target.clientCertificate, undefined, () =>
      verifyCredential(credential, networkOptions, { services: requiredServices(draft), signal }),
    );
    const profile: ConnectionProfile = {
      ...target,
      saved: this.#dependencies.profiles !== null,
      ...(draft.saveAnyway ? {} : { acceptedAt: new Date(wallMs()).toISOString() }),
    };
    const remember = draft.remember !== false;
    return this.#enqueue(() => this.#saveNew(profile, { secret, password }, remember));
  }

  /** Adds profiles without secrets. @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable` */
  addProfiles(profiles: readonly Omit<StoredProfile, 'id' | 'secret'>[]): Promise<Connection[]> {
    return this.#enqueue(async () => {
      const ids = new Set<string>();
      await this.#dependencies.profiles?.change((all) => {
        const next = [...all];
        for (const profile of profiles) {
          const id = randomUUID();
          ids.add(id);
          const unique = distinct(profile, [...this.#dependencies.registry.list(), ...next]);
          next.push({ ...unique, id, secret: 'none' });
        }
        return next;
      });
      await this.#load();
      return this.#dependencies.registry.list().filter(({ id }) => ids.has(id));
    });
  }

  /**
   * Adds a copy of a connection with its key. A sign-in isn't copied: renewing its tokens in one connection would end
   * them in the other.
   * @throws AppError `connection_unknown`; `invalid_input` for a connection that the user can't change; as `add`
   */
  duplicate(id: string): Promise<Connection> {
    return this.#enqueue(async () => {
      const { profile, secretStore } = this.#ownConnection(id);
      const { proxyPasswords, certificates } = this.#dependencies;
      const secret = profile.method === 'api_key' ? await secretStore.read().catch(() => null) : null;
      const remember = secretStore.isForKeychain;
      const password = profile.proxy?.user === undefined ? null : await proxyPasswords.get(id);
      const clientCertificate = await certificates.duplicate(profile.clientCertificate);
      const copy = { ...profile, clientCertificate, id: randomUUID() };
      return this.#saveNew(copy, { secret, password }, remember);
    });
  }

  /** @throws AppError as `add`; `invalid_input` when the secret would be sent to another host */
  async change(input: ConnectionChange, signal?: AbortSignal): Promise<Connection> {
    const { connection: id, credential } = input;
    const { profile: previous, secretStore } = this.#ownConnection(id);
    const { proxyPasswords, certificates } = this.#dependencies;
    const { after: changed, changes, proxyPassword } = await applyChange(previous, input, certificates);
    // The stored one is read when a request needs it.
    const password = proxyPassword === undefined ? undefined : async () => proxyPassword;
    const networkOptions = this.#dependencies.networkOptions(changed, password);
    const { clientCertificate } = changed;
    const secret = await this.#withCertificate(
      clientCertificate,
      previous.clientCertificate,
      async () =>
        credential &&
        (await verifyCredential(credential, networkOptions, { services: requiredServices(input), signal })),
    );
    return this.#enqueue(async () => {
      const remember = secretStore.isForKeychain;
      const siblings = this.#dependencies.registry.list().filter((item) => item.id !== id);
      const change =
        changes.name === undefined ? changes : { ...changes, name: freeName(changes.name, siblings) };
      const onDisk = (await this.#dependencies.profiles?.read())?.find((item) => item.id === id);
      if (clientCertificate?.account !== previous.clientCertificate?.account)
        await certificates.keep(clientCertificate, remember);
      // Whatever ends this process, or is refused, from here on: the earlier secret is never read for another host.
      const isForElsewhere =
        newHost(previous, changed) !== undefined || canReadMoreTraffic(previous, changed);
      const earlier = secret && isForElsewhere ? await secretStore.read().catch(() => null) : null;
      if (secret && isForElsewhere)
        await secretStore.remove().catch(async (error: unknown) => {
          // One that was never in the keychain is in memory, where the new one replaces it.
          if (onDisk?.secret !== 'keychain') return;
          await certificates.remove(clientCertificate, previous.clientCertificate);
          throw error;
        });
      await this.#write(id, change).catch(async (error: unknown) => {
        if (earlier) await secretStore.write(earlier);
        await certificates.remove(clientCertificate, previous.clientCertificate);
        throw error;
      });
      await certificates.remove(previous.clientCertificate, clientCertificate);
      if (proxyPassword === null) await proxyPasswords.delete(id);
      else if (proxyPassword !== undefined) await proxyPasswords.set(id, proxyPassword, remember);
      if (!secret) return this.#dependencies.registry.update(id, change);
      return this.#replaceSecret(id, secret, credential, input.saveAnyway !== true, change);
    });
  }

  /**
   * Replaces the credentials after verifying the new ones.
   * @throws AppError as `add`; `keychain_unavailable` if this process needs the keychain
   */
  async authenticate(id: string, credential: Credential, signal?: AbortSignal): Promise<Connection> {
    const { profile } = this.#ownConnection(id);
    const secret = await verifyCredential(credential, this.#dependencies.networkOptions(profile), {
      services: 'either',
      signal,
    });
    return this.#enqueue(() => this.#replaceSecret(id, secret, credential, true));
  }

  /**
   * Removes a connection and its secret.
   * @throws AppError `connection_unknown`; `keychain_unavailable`, unless the secret may remain; `file_unwritable`
   */
  remove(id: string, leaveSecret: boolean): Promise<void> {
    return this.#enqueue(async () => {
      const { secretStore, profile } = this.#dependencies.registry.entry(id);
      const onDisk = (await this.#dependencies.profiles?.read())?.find((item) => item.id === id);
      // If the list can't be written, the connection stays, and keeps its secret.
      const secret = await secretStore?.read().catch(() => null);
      await secretStore?.remove().catch((error: unknown) => {
        // A secret that was never in the keychain leaves nothing behind.
        if (onDisk?.secret === 'keychain' && !leaveSecret) throw error;
      });
      if (profile.saved)
        await this.#dependencies.profiles
          ?.change((all) => all.filter((item) => item.id !== id))
          .catch(async (error: unknown) => {
            if (secret) await secretStore?.write(secret);
            throw error;
          });
      await this.#dependencies.registry.remove(id);
      if (profile.proxy) await this.#dependencies.proxyPasswords.delete(id);
      await this.#dependencies.certificates.remove(profile.clientCertificate);
    });
  }

  /**
   * Verifies a connection, after its client certificate, whose secret is dropped from memory if that fails.
   * @param before that of the saved connection
   */
  async #withCertificate<T>(
    certificate: ConnectionProfile['clientCertificate'],
    before: ConnectionProfile['clientCertificate'],
    verify: () => Promise<T>,
  ): Promise<T> {
    const { certificates } = this.#dependencies;
    try {
      if (certificate?.account !== before?.account) await certificates.check(certificate);
      return await verify();
    } catch (error) {
      certificates.forget(certificate, before);
      throw error;
    }
  }

  /** Records that a service accepted the key. */
  recordAccepted(id: string): void {
    if (!this.#dependencies.registry.has(id)) return;
    const { profile } = this.#dependencies.registry.entry(id);
    const sinceMs = wallMs() - Date.parse(profile.acceptedAt ?? '1970-01-01');
    // The clock may have been ahead at the last one.
    if (!profile.saved || Math.abs(sinceMs) < dayMs) return;
    const acceptedAt = new Date(wallMs()).toISOString();
    void this.#dependencies.registry.update(id, { acceptedAt });
    this.#dependencies.enqueue(() => this.#write(id, { acceptedAt }));
  }

  /** @throws AppError `file_too_new`, `file_unreadable` */
  async #load(): Promise<void> {
    const { registry, profiles, entry } = this.#dependencies;
    if (!profiles) return;
    const storedProfiles = await profiles.read();
    for (const storedProfile of storedProfiles) {
      const { id, secret } = storedProfile;
      const secretStore = () => this.#secretStore(id, secret === 'keychain' ? 'keychain' : 'missing');
      if (registry.has(id)) await this.#reloadProfile(storedProfile);
      else await registry.put(entry(fromStoredProfile(storedProfile), secretStore()));
    }
    const storedIds = new Set(storedProfiles.map(({ id }) => id));
    for (const { id, saved } of registry.list()) if (saved && !storedIds.has(id)) await registry.remove(id);
  }

  /** Applies a profile that another process changed, with its new secret. */
  async #reloadProfile(storedProfile: StoredProfile): Promise<void> {
    const { id, secret } = storedProfile;
    const { registry } = this.#dependencies;
    const { profile: previous, secretStore } = registry.entry(id);
    const isReplaced = previous.replacedAt !== storedProfile.replacedAt;
    // This process may have a newer time of acceptance that isn't saved yet, unless it is that of another secret.
    const isNewerHere = !isReplaced && (previous.acceptedAt ?? '') > (storedProfile.acceptedAt ?? '');
    const { acceptedAt } = isNewerHere ? previous : storedProfile;
    const profile = { ...fromStoredProfile(storedProfile), acceptedAt };
    if (!differs(previous, profile)) return;
    // What another process removed isn't in the stored profile.
    await registry.update(id, {
      email: undefined,
      proxy: undefined,
      clientCertificate: undefined,
      ...profile,
    });
    if (!isReplaced && previous.method === profile.method && previous.acceptedAt === profile.acceptedAt)
      return;
    registry.renew(id);
    // Another process stored a secret that was missing before.
    if (secret === 'keychain' && secretStore?.state().place === 'missing')
      await secretStore.read().catch(() => null);
  }

  /**
   * Adds a connection with a free name and color, its secret, and the password of its proxy.
   * @param remember whether these and the secret of its certificate go to the keychain, or stay for this session
   * @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable`; nothing is saved then
   */
  async #saveNew(
    profile: ConnectionProfile,
    { secret, password }: { readonly secret: Secret | null; readonly password: string | null },
    remember: boolean,
  ): Promise<Connection> {
    const { registry, profiles, entry, proxyPasswords, certificates } = this.#dependencies;
    await this.#load();
    const { id } = profile;
    const uniqueProfile = distinct(profile, registry.list());
    const secretStore = remember
      ? this.#secretStore(id, 'missing')
      : sessionSecretStore(id, () => this.#publishChange(id));
    if (secret) await secretStore.write(secret);
    await profiles
      ?.change((all) => [...all, toStoredProfile(uniqueProfile, placeOf(secretStore))])
      .catch(async (error: unknown) => {
        await secretStore.remove().catch(() => undefined);
        throw error;
      });
    if (password !== null) await proxyPasswords.set(id, password, remember);
    await certificates.keep(profile.clientCertificate, remember);
    return registry.put(entry(uniqueProfile, secretStore));
  }

  /**
   * Replaces the secret; the old one is kept until the new one is verified.
   * @param isAccepted whether a service accepted the new one; false: it is saved untested
   * @param changes of the profile, such as another address, which are saved already
   * @throws AppError `keychain_unavailable` if this process needs the keychain; nothing is replaced then
   */
  async #replaceSecret(
    id: string,
    secret: Secret,
    credential: Credential | undefined,
    isAccepted: boolean,
    changes: Partial<ConnectionProfile> = {},
  ): Promise<Connection> {
    const { profile, secretStore } = this.#ownConnection(id);
    const { registry, proxyPasswords, certificates, needsKeychain } = this.#dependencies;
    await secretStore.withLock(() => secretStore.write(secret, needsKeychain));
    await proxyPasswords.retry(id);
    await certificates.retry(profile.clientCertificate);
    const { method } = secret;
    const replacedAt = new Date(wallMs()).toISOString();
    const acceptedAt = isAccepted ? replacedAt : undefined;
    const change = { method, email: emailOf(credential), replacedAt, acceptedAt };
    const place = placeOf(secretStore);
    // While the keychain refuses, the earlier one is still in it.
    await this.#write(id, place === 'keychain' ? { ...change, secret: place } : change);
    // With the address: the earlier secret is never sent to another host.
    const connection = await registry.update(id, { ...changes, ...change });
    registry.renew(id);
    return connection;
  }

  /** The secret of a connection, whose changes are published and saved. */
  #secretStore(id: string, place: SecretState['place']): SecretStore {
    return this.#dependencies.secretStore(id, place, (state) => {
      this.#publishChange(id);
      const secret = state.place === 'keychain' ? 'keychain' : 'none';
      // A secret that can't be read now may still exist.
      if (this.#dependencies.registry.has(id) && (state.trouble === undefined || secret === 'keychain'))
        this.#dependencies.enqueue(() => this.#write(id, { secret }));
    });
  }

  #publishChange(id: string): void {
    if (this.#dependencies.registry.has(id)) void this.#dependencies.registry.update(id, {});
  }

  async #write(id: string, change: Partial<StoredProfile>): Promise<void> {
    await this.#dependencies.profiles?.change((all) =>
      all.map((storedProfile) => (storedProfile.id === id ? { ...storedProfile, ...change } : storedProfile)),
    );
  }

  /** @throws AppError `connection_unknown`; `invalid_input` for a connection that the user can't change */
  #ownConnection(id: string): { profile: ConnectionProfile; secretStore: SecretStore } {
    const { profile, secretStore } = this.#dependencies.registry.entry(id);
    if (secretStore === null)
      throw invalidInput(
        `“${profile.name}” is set by the environment. Change the WELLBENCH variables instead.`,
      );
    if (profile.sample) throw invalidInput('The sample workspace can’t be changed. Add your own connection.');
    return { profile, secretStore };
  }
}

function placeOf(secretStore: SecretStore): StoredProfile['secret'] {
  return secretStore.state().place === 'keychain' ? 'keychain' : 'none';
}

const requiredServices = ({ saveAnyway }: { readonly saveAnyway?: boolean | undefined }) =>
  saveAnyway ? 'none' : 'both';

/** The format version of exported profiles. */
const format = 1;
const kind = 'wellbench-connections';
const file = 'The file';

const { name, dataUrl, platformUrl } = connectionDraft.shape;
const exportedProfile = z.object({
  name,
  color: connectionColor.catch('blue'),
  dataUrl,
  platformUrl,
  method: z.enum(['api_key', 'login']).catch('api_key'),
  readOnly: z.boolean().catch(false),
  authorities: z.array(z.string().max(100_000)).max(500).catch([]),
});
const profilesFile = z.object({ connections: z.array(z.unknown()).max(1000) });

interface ReadProfiles {
  readonly profiles: Omit<StoredProfile, 'id' | 'secret'>[];
  /** Skipped profiles, with reasons. */
  readonly problems: string[];
}

/**
 * Parses the text of {@link exportProfiles}. Valid profiles are returned, others reported.
 * @param others existing connections: a profile with the same name and services is skipped
 * @throws AppError `file_unsuitable`, `file_too_new`
 */
export function profilesFromText(text: string, others: readonly ConnectionProfile[]): ReadProfiles {
  const content = jsonOrNull(text);
  const reason = 'it contains no connections';
  checkSharedHead(content, { kind, format, wanted: 'connections', reason }, file);
  const { data } = profilesFile.safeParse(content);
  if (!data) throw new AppError('file_unsuitable', { file, reason, wanted: 'connections' });
  const profiles: Omit<StoredProfile, 'id' | 'secret'>[] = [];
  const problems: string[] = [];
  for (const [index, item] of data.connections.entries()) {
    const parsedProfile = exportedProfile.safeParse(item);
    const label = parsedProfile.success ? `“${parsedProfile.data.name}”` : `Connection ${index + 1}`;
    if (!parsedProfile.success) {
      const [issue] = parsedProfile.error.issues;
      problems.push(`${label} can’t be used: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    } else if ([...others, ...profiles].some((other) => isSame(other, parsedProfile.data)))
      problems.push(`${label} already exists.`);
    else {
      const { authorities, problem } = readCertificates(parsedProfile.data.authorities, label);
      if (problem) problems.push(problem);
      profiles.push({ ...parsedProfile.data, authorities });
    }
  }
  return { profiles, problems };
}

type IdentifyingFields = Pick<ConnectionProfile, 'name' | 'dataUrl' | 'platformUrl'>;

const isSame = (a: IdentifyingFields, b: IdentifyingFields): boolean =>
  a.name === b.name && a.dataUrl === b.dataUrl && a.platformUrl === b.platformUrl;

function readCertificates(
  pem: readonly string[],
  label: string,
): { authorities: string[]; problem: string | null } {
  try {
    const authorities = pem.flatMap((text) => parseAuthorities(Buffer.from(text), file));
    return { authorities, problem: null };
  } catch {
    return { authorities: [], problem: `The certificates of ${label} can’t be read and were skipped.` };
  }
}

/**
 * Exports profiles as text to share, without secrets and emails.
 * @param ids of connections; absent: all except the sample workspace and the environment's connection
 * @throws AppError `connection_unknown`
 */
export function exportProfiles(
  profiles: readonly ConnectionProfile[],
  ids: readonly string[] | undefined,
): z.infer<typeof exportedProfiles> {
  const selected = ids
    ? ids.map((id) => findProfile(profiles, id))
    : profiles.filter(({ sample, id }) => !sample && id !== environmentId);
  const connections = selected.map(
    ({ name, color, dataUrl, platformUrl, method, readOnly, authorities }) => ({
      name,
      color,
      dataUrl,
      platformUrl,
      method,
      readOnly,
      authorities,
    }),
  );
  const [only] = selected;
  const fileName = selected.length === 1 && only ? plainName(only.name) : 'connections';
  return {
    suggestedName: `${fileName}.wellbench.json`,
    text: `${JSON.stringify({ kind, format, connections }, null, 2)}\n`,
  };
}

function findProfile(profiles: readonly ConnectionProfile[], id: string): ConnectionProfile {
  const profile = profiles.find((item) => item.id === id);
  if (!profile) throw new AppError('connection_unknown', { connection: id });
  return profile;
}
