import type {
  Connection,
  ConnectionChange,
  ConnectionDraft,
  Credential,
} from '../../../shared/connections/connections.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { ConnectionProfile, ConnectionRegistry } from './registry.ts';
import {
  applyChange,
  emailOf,
  toStoredProfile,
  proxyOf,
  freeColor,
  freeName,
  differs,
  fromStoredProfile,
} from './profile.ts';
import type { StoredProfile, ProfileStore } from './stored-profiles.ts';
import { verifyCredential } from './check.ts';
import { wallMs } from '../../world/time.ts';
import { randomUUID } from '../../world/random.ts';
import type { ClientCertificates } from './client-certificates.ts';
import { type Secret, type SecretStore, sessionSecretStore, type SecretState } from './secret-store.ts';
import { createQueue } from '../queue.ts';
import type { EntryFactory } from './entries.ts';
import type { ExtraPasswords } from './extra-passwords.ts';

interface SavedDependencies extends EntryFactory {
  readonly registry: ConnectionRegistry;
  /** Null: nothing is saved, in a process without a data folder. */
  readonly profiles: ProfileStore | null;
  readonly secretStore: (
    id: string,
    place: SecretState['place'],
    onChange: (state: SecretState) => void,
  ) => SecretStore;
  readonly proxyPasswords: ExtraPasswords;
  readonly certificates: ClientCertificates;
  /** The certificates in a CA file. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  /** Enqueues a small disk write. */
  readonly enqueue: (work: () => Promise<unknown>) => void;
}

/** One day: the time of the last acceptance is saved at most this often. */
const dayMs = 86_400_000;

/** The profiles and secrets of saved connections: on disk, in the keychain, and in the registry, which agree. */
class SavedProfiles {
  readonly #dependencies: SavedDependencies;
  /** Runs changes of the list one after another. */
  readonly enqueue = createQueue();

  constructor(dependencies: SavedDependencies) {
    this.#dependencies = dependencies;
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
    this.#dependencies.enqueue(() => this.write(id, { acceptedAt }));
  }

  /**
   * Loads profiles that other processes changed.
   * @throws AppError `file_too_new`, `file_unreadable`
   */
  async load(): Promise<void> {
    const { registry, profiles, entry } = this.#dependencies;
    if (!profiles) return;
    const storedProfiles = await profiles.read();
    for (const storedProfile of storedProfiles) {
      const { id, secret } = storedProfile;
      const secretStore = () => this.secretStore(id, secret === 'keychain' ? 'keychain' : 'missing');
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
   * Adds a connection with a free name and color, and its secret.
   * @param remember whether the secret goes to the keychain, or stays for this session
   * @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable`; nothing is saved then
   */
  async saveNew(profile: ConnectionProfile, secret: Secret | null, remember: boolean): Promise<Connection> {
    const { registry, profiles, entry } = this.#dependencies;
    await this.load();
    const { id } = profile;
    const connections = registry.list();
    const uniqueProfile = {
      ...profile,
      name: freeName(profile.name, connections),
      color: freeColor(profile.color, connections),
    };
    const secretStore = remember
      ? this.secretStore(id, 'missing')
      : sessionSecretStore(id, () => this.#publishChange(id));
    if (secret) await secretStore.write(secret);
    await profiles
      ?.change((all) => [...all, toStoredProfile(uniqueProfile, placeOf(secretStore))])
      .catch(async (error: unknown) => {
        await secretStore.remove().catch(() => undefined);
        throw error;
      });
    return registry.put(entry(uniqueProfile, secretStore));
  }

  /**
   * Replaces the secret; the old one is kept until the new one is verified.
   * @param isAccepted whether a service accepted the new one; false: it is saved untested
   */
  async replaceSecret(
    id: string,
    secret: Secret,
    email: string | undefined,
    isAccepted: boolean,
  ): Promise<Connection> {
    const { secretStore } = this.ownConnection(id);
    await secretStore.withLock(() => secretStore.write(secret));
    const { method } = secret;
    const replacedAt = new Date(wallMs()).toISOString();
    const change = { method, email, replacedAt, acceptedAt: isAccepted ? replacedAt : undefined };
    await this.write(id, { ...change, secret: placeOf(secretStore) });
    const connection = await this.#dependencies.registry.update(id, change);
    this.#dependencies.registry.renew(id);
    return connection;
  }

  /** The secret of a connection, whose changes are published and saved. */
  secretStore(id: string, place: SecretState['place']): SecretStore {
    return this.#dependencies.secretStore(id, place, (state) => {
      this.#publishChange(id);
      const secret = state.place === 'keychain' ? 'keychain' : 'none';
      // A secret that can't be read now may still exist.
      if (this.#dependencies.registry.has(id) && (state.trouble === undefined || secret === 'keychain'))
        this.#dependencies.enqueue(() => this.write(id, { secret }));
    });
  }

  #publishChange(id: string): void {
    if (this.#dependencies.registry.has(id)) void this.#dependencies.registry.update(id, {});
  }

  async write(id: string, change: Partial<StoredProfile>): Promise<void> {
    await this.#dependencies.profiles?.change((all) =>
      all.map((storedProfile) => (storedProfile.id === id ? { ...storedProfile, ...change } : storedProfile)),
    );
  }

  /**
   * @throws AppError `connection_unknown`; `invalid_input` for a connection that the user can't change
   */
  ownConnection(id: string): { profile: ConnectionProfile; secretStore: SecretStore } {
    const { profile, secretStore } = this.#dependencies.registry.entry(id);
    if (secretStore === null)
      throw invalidInput(
        `“${profile.name}” is set by the environment. Change the WELLBENCH variables instead.`,
      );
    if (profile.sample)
      throw invalidInput('The sample workspace can’t be changed. Add a connection of your own.');
    return { profile, secretStore };
  }
}

/** Where the secret is, in a stored profile. */
function placeOf(secretStore: SecretStore): StoredProfile['secret'] {
  return secretStore.state().place === 'keychain' ? 'keychain' : 'none';
}

/** The saved connections, on disk and in the registry. */
export class SavedConnections {
  readonly #dependencies: SavedDependencies;
  readonly #saved: SavedProfiles;

  constructor(dependencies: SavedDependencies) {
    this.#dependencies = dependencies;
    this.#saved = new SavedProfiles(dependencies);
  }

  /**
   * Loads changes by other processes.
   * @throws AppError `file_too_new`, `file_unreadable`
   */
  load(): Promise<void> {
    return this.#saved.enqueue(() => this.#saved.load());
  }

  /**
   * Adds a connection after verifying its credentials.
   * @throws AppError as {@link verifyCredential}; `file_too_new`, `file_unreadable`, `file_unwritable`;
   *   nothing is saved then
   */
  async add(draft: ConnectionDraft, signal?: AbortSignal): Promise<Connection> {
    const { dataUrl, platformUrl, readOnly, credential } = draft;
    const { certificates } = this.#dependencies;
    const authorities = draft.caFile ? await this.#dependencies.authorities(draft.caFile) : [];
    const clientCertificate = await certificates.resolve(draft.clientCertificate);
    const proxy = proxyOf(draft.proxy);
    const target = { id: randomUUID(), dataUrl, platformUrl, authorities, clientCertificate, proxy };
    const password = draft.proxy?.password ?? null;
    const networkOptions = this.#dependencies.networkOptions(target, async () => password);
    const secret = await this.#withCertificate(clientCertificate, undefined, () =>
      verifyCredential(credential, networkOptions, { services: requiredServices(draft), signal }),
    );
    const profile: ConnectionProfile = {
      ...target,
      name: draft.name,
      color: draft.color,
      method: credential.method,
      email: emailOf(credential),
      readOnly,
      sample: false,
      saved: this.#dependencies.profiles !== null,
      ...(draft.saveAnyway ? {} : { acceptedAt: new Date(wallMs()).toISOString() }),
    };
    const remember = draft.remember !== false;
    return this.#saved.enqueue(async () => {
      const connection = await this.#saved.saveNew(profile, secret, remember);
      if (password !== null) await this.#dependencies.proxyPasswords.write(connection.id, password, remember);
      await certificates.keep(clientCertificate, remember);
      return connection;
    });
  }

  /**
   * Adds profiles without secrets.
   * @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable`
   */
  addProfiles(profiles: readonly Omit<StoredProfile, 'id' | 'secret'>[]): Promise<Connection[]> {
    return this.#saved.enqueue(async () => {
      const ids = new Set<string>();
      await this.#dependencies.profiles?.change((all) => {
        const next = [...all];
        for (const profile of profiles) {
          const connections = [...this.#dependencies.registry.list(), ...next];
          const id = randomUUID();
          ids.add(id);
          const unique = {
            name: freeName(profile.name, connections),
            color: freeColor(profile.color, connections),
          };
          next.push({ ...profile, ...unique, id, secret: 'none' });
        }
        return next;
      });
      await this.#saved.load();
      return this.#dependencies.registry.list().filter(({ id }) => ids.has(id));
    });
  }

  /**
   * Adds a copy of a connection with its key. A sign-in isn't copied: renewing its tokens in one connection would end
   * them in the other.
   * @throws AppError `connection_unknown`; `invalid_input` for a connection that the user can't change; as `add`
   */
  duplicate(id: string): Promise<Connection> {
    return this.#saved.enqueue(async () => {
      const { profile, secretStore } = this.#saved.ownConnection(id);
      const { proxyPasswords, certificates } = this.#dependencies;
      const secret = profile.method === 'api_key' ? await secretStore.read().catch(() => null) : null;
      const remember = secretStore.state().place !== 'session';
      const proxyPassword = profile.proxy?.user === undefined ? null : await proxyPasswords.read(id);
      const clientCertificate = await certificates.duplicate(profile.clientCertificate, remember);
      const copy = await this.#saved.saveNew(
        { ...profile, clientCertificate, id: randomUUID() },
        secret,
        remember,
      );
      if (proxyPassword !== null) await proxyPasswords.write(copy.id, proxyPassword, remember);
      return copy;
    });
  }

  /**
   * Changes a connection.
   * @throws AppError as `add`; `invalid_input` when the secret would be sent to another host
   */
  async change(input: ConnectionChange, signal?: AbortSignal): Promise<Connection> {
    const { connection: id, credential } = input;
    const { profile: previous, secretStore } = this.#saved.ownConnection(id);
    const { proxyPasswords, certificates } = this.#dependencies;
    const { after: changed, changes, proxyPassword } = await applyChange(previous, input, this.#dependencies);
    const password = proxyPassword === undefined ? await proxyPasswords.read(id) : proxyPassword;
    const networkOptions = this.#dependencies.networkOptions(changed, async () => password);
    const { clientCertificate } = changed;
    const secret = await this.#withCertificate(
      clientCertificate,
      previous.clientCertificate,
      async () =>
        credential &&
        (await verifyCredential(credential, networkOptions, { services: requiredServices(input), signal })),
    );
    return this.#saved.enqueue(async () => {
      const remember = secretStore.state().place === 'keychain';
      const siblings = this.#dependencies.registry.list().filter((item) => item.id !== id);
      const change =
        changes.name === undefined ? changes : { ...changes, name: freeName(changes.name, siblings) };
      if (clientCertificate?.account !== previous.clientCertificate?.account)
        await certificates.keep(clientCertificate, remember);
      await this.#saved.write(id, change).catch(async (error: unknown) => {
        await certificates.remove(clientCertificate, previous.clientCertificate);
        throw error;
      });
      await certificates.remove(previous.clientCertificate, clientCertificate);
      if (proxyPassword === null) await proxyPasswords.remove(id);
      else if (proxyPassword !== undefined) await proxyPasswords.write(id, proxyPassword, remember);
      const connection = await this.#dependencies.registry.update(id, change);
      if (!secret) return connection;
      return this.#saved.replaceSecret(id, secret, emailOf(credential), input.saveAnyway !== true);
    });
  }

  /**
   * Replaces the credentials after verifying the new ones.
   * @throws AppError as `add`
   */
  async authenticate(id: string, credential: Credential, signal?: AbortSignal): Promise<Connection> {
    const { profile } = this.#saved.ownConnection(id);
    const secret = await verifyCredential(credential, this.#dependencies.networkOptions(profile), {
      services: 'either',
      signal,
    });
    return this.#saved.enqueue(() => this.#saved.replaceSecret(id, secret, emailOf(credential), true));
  }

  /**
   * Removes a connection and its secret.
   * @throws AppError `connection_unknown`; `keychain_unavailable`, unless the secret may remain; `file_unwritable`
   */
  remove(id: string, leaveSecret: boolean): Promise<void> {
    return this.#saved.enqueue(async () => {
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
      if (profile.proxy) await this.#dependencies.proxyPasswords.remove(id);
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
    this.#saved.recordAccepted(id);
  }
}

const requiredServices = ({ saveAnyway }: { readonly saveAnyway?: boolean | undefined }) =>
  saveAnyway ? 'none' : 'both';
