import { randomUUID } from 'node:crypto';
import type {
  Connection,
  ConnectionChange,
  ConnectionDraft,
  Credential,
} from '../../shared/connections/connections.ts';
import { invalidInput } from '../../shared/errors/errors.ts';
import type { ConnectionRegistry, RegistryEntry, ConnectionProfile } from './registry.ts';
import {
  applyChange,
  emailOf,
  fromStoredProfile,
  differs,
  toStoredProfile,
  proxyOf,
  freeColor,
  freeName,
} from './profile.ts';
import type { StoredProfile, ProfileStore } from './stored-profiles.ts';
import type { ProxyPasswords } from './proxy-passwords.ts';
import type { ServiceNetworkOptions } from '../services/open.ts';
import { verifyCredential } from './check.ts';
import { createLastRemoved, captureConnection } from './last-removed.ts';
import { type Secret, sessionSecretStore, type SecretStore, type SecretState } from './secret-store.ts';

export interface SavedDependencies {
  readonly registry: ConnectionRegistry;
  /** Null: nothing is saved, in a process without a data folder. */
  readonly profiles: ProfileStore | null;
  readonly secretStore: (
    id: string,
    place: SecretState['place'],
    onChange: (state: SecretState) => void,
  ) => SecretStore;
  readonly entry: (profile: ConnectionProfile, secretStore: SecretStore) => RegistryEntry;
  readonly networkOptions: (
    profile: Pick<ConnectionProfile, 'id' | 'dataUrl' | 'platformUrl' | 'authorities' | 'proxy'>,
    proxyPassword?: () => Promise<string | null>,
  ) => ServiceNetworkOptions;
  readonly proxyPasswords: ProxyPasswords;
  /** The certificates in a CA file. */
  readonly authorities: (caFile: string) => Promise<string[]>;
  /** Enqueues a small disk write. */
  readonly enqueue: (work: () => Promise<unknown>) => void;
}

/** One day: the time of the last acceptance is saved at most this often. */
const dayMs = 86_400_000;

/** The saved connections, on disk and in the registry. */
export class SavedConnections {
  readonly #dependencies: SavedDependencies;
  readonly #removed = createLastRemoved();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(dependencies: SavedDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Loads changes by other processes.
   * @throws AppError `file_too_new`, `file_unreadable`
   */
  load(): Promise<void> {
    return this.#enqueue(() => this.#load());
  }

  /**
   * Adds a connection after verifying its credentials.
   * @throws AppError as {@link verifyCredential}; `file_too_new`, `file_unreadable`, `file_unwritable`;
   *   nothing is saved then
   */
  async add(draft: ConnectionDraft, signal?: AbortSignal): Promise<Connection> {
    const { dataUrl, platformUrl, readOnly, credential } = draft;
    const authorities = draft.caFile ? await this.#dependencies.authorities(draft.caFile) : [];
    const target = { id: randomUUID(), dataUrl, platformUrl, authorities, proxy: proxyOf(draft.proxy) };
    const password = draft.proxy?.password ?? null;
    const networkOptions = this.#dependencies.networkOptions(target, async () => password);
    const secret = await verifyCredential(credential, networkOptions, {
      services: requiredServices(draft),
      signal,
    });
    const profile: ConnectionProfile = {
      ...target,
      name: draft.name,
      color: draft.color,
      method: credential.method,
      email: emailOf(credential),
      readOnly,
      sample: false,
      saved: this.#dependencies.profiles !== null,
      ...(draft.saveAnyway ? {} : { acceptedAt: new Date().toISOString() }),
    };
    const remember = draft.remember !== false;
    return this.#enqueue(async () => {
      const connection = await this.#saveNew(profile, secret, remember);
      if (password !== null) await this.#dependencies.proxyPasswords.write(connection.id, password, remember);
      return connection;
    });
  }

  /**
   * Adds profiles without secrets.
   * @throws AppError `file_too_new`, `file_unreadable`, `file_unwritable`
   */
  addProfiles(profiles: readonly Omit<StoredProfile, 'id' | 'secret'>[]): Promise<Connection[]> {
    return this.#enqueue(async () => {
      const ids = new Set<string>();
      await this.#dependencies.profiles?.change((all) => {
        const next = [...all];
        for (const one of profiles) {
          const others = [...this.#dependencies.registry.list(), ...next];
          const id = randomUUID();
          ids.add(id);
          const unique = { name: freeName(one.name, others), color: freeColor(one.color, others) };
          next.push({ ...one, ...unique, id, secret: 'none' });
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
      const { proxyPasswords } = this.#dependencies;
      const secret = profile.method === 'api_key' ? await secretStore.read().catch(() => null) : null;
      const remember = secretStore.state().place !== 'session';
      const proxyPassword = profile.proxy?.user === undefined ? null : await proxyPasswords.read(id);
      const copy = await this.#saveNew({ ...profile, id: randomUUID() }, secret, remember);
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
    const { profile: previous, secretStore } = this.#ownConnection(id);
    const { proxyPasswords } = this.#dependencies;
    const {
      after: changed,
      changes,
      proxyPassword,
    } = await applyChange(previous, input, this.#dependencies.authorities);
    const password = proxyPassword === undefined ? await proxyPasswords.read(id) : proxyPassword;
    const networkOptions = this.#dependencies.networkOptions(changed, async () => password);
    const secret =
      credential &&
      (await verifyCredential(credential, networkOptions, { services: requiredServices(input), signal }));
    return this.#enqueue(async () => {
      const others = this.#dependencies.registry.list().filter((one) => one.id !== id);
      const name = changes.name === undefined ? previous.name : freeName(changes.name, others);
      const change = { ...changes, name };
      await this.#write(id, change);
      if (proxyPassword === null) await proxyPasswords.remove(id);
      else if (proxyPassword !== undefined)
        await proxyPasswords.write(id, proxyPassword, secretStore.state().place === 'keychain');
      const connection = await this.#dependencies.registry.update(id, change);
      return secret ? this.#replaceSecret(id, secret, emailOf(credential)) : connection;
    });
  }

  /**
   * Replaces the credentials after verifying the new ones.
   * @throws AppError as `add`
   */
  async authenticate(id: string, credential: Credential, signal?: AbortSignal): Promise<Connection> {
    const { profile } = this.#ownConnection(id);
    const secret = await verifyCredential(credential, this.#dependencies.networkOptions(profile), {
      services: 'either',
      signal,
    });
    return this.#enqueue(() => this.#replaceSecret(id, secret, emailOf(credential)));
  }

  /**
   * Removes a connection and its secret.
   * @throws AppError `connection_unknown`; `keychain_unavailable`, unless the secret may remain
   */
  remove(id: string, leaveSecret: boolean): Promise<void> {
    return this.#enqueue(async () => {
      const { secretStore, profile } = this.#dependencies.registry.entry(id);
      const onDisk = (await this.#dependencies.profiles?.read())?.find((one) => one.id === id);
      const proxyPassword =
        profile.proxy?.user === undefined ? null : await this.#dependencies.proxyPasswords.read(id);
      const removed = { ...(await captureConnection(profile, secretStore)), proxyPassword };
      let isSecretLeft = false;
      await secretStore?.remove().catch((error: unknown) => {
        // A secret that was never in the keychain leaves nothing behind.
        if (onDisk?.secret === 'keychain' && !leaveSecret) throw error;
        isSecretLeft = onDisk?.secret === 'keychain';
      });
      if (profile.saved)
        await this.#dependencies.profiles?.change((all) => all.filter((one) => one.id !== id));
      await this.#dependencies.registry.remove(id);
      if (profile.proxy) await this.#dependencies.proxyPasswords.remove(id);
      if (secretStore && !profile.sample)
        this.#removed.put(isSecretLeft ? { ...removed, place: 'left' } : removed);
    });
  }

  /**
   * Restores the last removed connection with its secret.
   * @throws AppError `invalid_input` when it can't be undone anymore; as `add`
   */
  restore(id: string): Promise<Connection> {
    return this.#enqueue(async () => {
      const removed = this.#removed.take(id);
      if (!removed) throw invalidInput('This can’t be undone anymore. Add the connection again.');
      const { profile, secret, place, proxyPassword } = removed;
      if (proxyPassword !== null)
        await this.#dependencies.proxyPasswords.write(id, proxyPassword, place === 'keychain');
      if (secret) return this.#saveNew(profile, secret, place !== 'session');
      const secretStore = this.#secretStore(id, place === 'left' ? 'keychain' : 'missing');
      await this.#dependencies.profiles?.change((all) => [
        ...all,
        toStoredProfile(profile, placeOf(secretStore)),
      ]);
      return this.#dependencies.registry.put(this.#dependencies.entry(profile, secretStore));
    });
  }

  /** Texts to redact. */
  secrets(): string[] {
    return this.#removed.secrets();
  }

  close(): void {
    this.#removed.put(null);
  }

  /** Records that a service accepted the key. */
  recordAccepted(id: string): void {
    if (!this.#dependencies.registry.has(id)) return;
    const { profile } = this.#dependencies.registry.entry(id);
    if (!profile.saved || Date.now() - Date.parse(profile.acceptedAt ?? '1970-01-01') < dayMs) return;
    const acceptedAt = new Date().toISOString();
    void this.#dependencies.registry.update(id, { acceptedAt });
    this.#dependencies.enqueue(() => this.#write(id, { acceptedAt }));
  }

  /** Runs changes of the list one after another. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #load(): Promise<void> {
    const { registry, profiles, entry } = this.#dependencies;
    if (!profiles) return;
    const found = await profiles.read();
    for (const one of found) {
      const profile = fromStoredProfile(one);
      if (registry.has(one.id)) await this.#reloadProfile(one, profile);
      else
        await registry.put(
          entry(profile, this.#secretStore(one.id, one.secret === 'keychain' ? 'keychain' : 'missing')),
        );
    }
    const storedIds = new Set(found.map(({ id }) => id));
    for (const { id, saved } of registry.list()) if (saved && !storedIds.has(id)) await registry.remove(id);
  }

  /** Applies a profile that another process changed, with its new secret. */
  async #reloadProfile({ id, secret }: StoredProfile, found: ConnectionProfile): Promise<void> {
    const { registry } = this.#dependencies;
    const { profile: previous, secretStore } = registry.entry(id);
    // This process may have a newer time of acceptance that isn't saved yet.
    const isNewerHere = (previous.acceptedAt ?? '') > (found.acceptedAt ?? '');
    const profile = isNewerHere ? { ...found, acceptedAt: previous.acceptedAt } : found;
    if (!differs(previous, profile)) return;
    await registry.update(id, profile);
    if (previous.method === profile.method && previous.acceptedAt === profile.acceptedAt) return;
    registry.renew(id);
    // Another process stored a secret that was missing before.
    if (secret === 'keychain' && secretStore?.state().place === 'missing')
      await secretStore.read().catch(() => null);
  }

  async #saveNew(profile: ConnectionProfile, secret: Secret | null, remember: boolean): Promise<Connection> {
    const { registry, profiles, entry } = this.#dependencies;
    await this.#load();
    const { id } = profile;
    const others = registry.list();
    const uniqueProfile = {
      ...profile,
      name: freeName(profile.name, others),
      color: freeColor(profile.color, others),
    };
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
    return registry.put(entry(uniqueProfile, secretStore));
  }

  /** Replaces the secret; the old one is kept until the new one is verified. */
  async #replaceSecret(id: string, secret: Secret, email: string | undefined): Promise<Connection> {
    const { secretStore } = this.#ownConnection(id);
    await secretStore.withLock(() => secretStore.write(secret));
    const { method } = secret;
    // The new time also tells other processes that the secret changed.
    const acceptedAt = new Date().toISOString();
    await this.#write(id, { method, email, acceptedAt, secret: placeOf(secretStore) });
    const connection = await this.#dependencies.registry.update(id, { method, email, acceptedAt });
    this.#dependencies.registry.renew(id);
    return connection;
  }

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
      all.map((one) => (one.id === id ? { ...one, ...change } : one)),
    );
  }

  /**
   * @throws AppError `connection_unknown`; `invalid_input` for a connection that the user can't change
   */
  #ownConnection(id: string): { profile: ConnectionProfile; secretStore: SecretStore } {
    const { profile, secretStore } = this.#dependencies.registry.entry(id);
    if (secretStore === null)
      throw invalidInput(
        `“${profile.name}” is set by the environment. Change the WELLBENCH variables instead.`,
      );
    if (profile.sample)
      throw invalidInput('The sample workspace can’t be changed. Add a connection of your own.');
    return { profile: profile, secretStore };
  }
}

/** The services that must accept credentials before they are saved. */
const requiredServices = ({ saveAnyway }: { readonly saveAnyway?: boolean | undefined }) =>
  saveAnyway ? 'none' : 'both';

function placeOf(secretStore: SecretStore): StoredProfile['secret'] {
  return secretStore.state().place === 'keychain' ? 'keychain' : 'none';
}
