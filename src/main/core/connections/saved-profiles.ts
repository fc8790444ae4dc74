import type { Connection } from '../../../shared/connections/connections.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { createQueue } from '../queue.ts';
import type { ClientCertificates } from './client-certificates.ts';
import type { EntryFactory } from './entries.ts';
import { differs, freeColor, freeName, fromStoredProfile, toStoredProfile } from './profile.ts';
import type { ExtraPasswords } from './extra-passwords.ts';
import type { ConnectionProfile, ConnectionRegistry } from './registry.ts';
import { type Secret, sessionSecretStore, type SecretState, type SecretStore } from './secret-store.ts';
import type { ProfileStore, StoredProfile } from './stored-profiles.ts';
import { wallMs } from '../../world/time.ts';

export interface SavedDependencies extends EntryFactory {
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
export class SavedProfiles {
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
export function placeOf(secretStore: SecretStore): StoredProfile['secret'] {
  return secretStore.state().place === 'keychain' ? 'keychain' : 'none';
}
