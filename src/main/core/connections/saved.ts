import type {
  Connection,
  ConnectionChange,
  ConnectionDraft,
  Credential,
} from '../../../shared/connections/connections.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { ConnectionProfile } from './registry.ts';
import { applyChange, emailOf, toStoredProfile, proxyOf, freeColor, freeName } from './profile.ts';
import { placeOf, SavedProfiles, type SavedDependencies } from './saved-profiles.ts';
import type { StoredProfile } from './stored-profiles.ts';
import { verifyCredential } from './check.ts';
import { wallMs, clearTimeout, setTimeout } from '../../world/time.ts';
import { randomUUID } from '../../world/random.ts';
import { passphrasesIn } from './client-certificates.ts';
import type { Secret, SecretStore } from './secret-store.ts';

export interface RemovedConnection {
  readonly profile: ConnectionProfile;
  /** Null: there was none, or it couldn't be read. */
  readonly secret: Secret | null;
  /** The password of its proxy; null: none. */
  readonly proxyPassword: string | null;
  /** The secret of its client certificate; null: none. */
  readonly certificateSecret: string | null;
  /** Where the secret was; `left`: it remains in the keychain, by the user's choice. */
  readonly place: 'keychain' | 'session' | 'left' | 'missing';
}

/** How long a removal can be undone, in milliseconds. */
const undoMs = 600_000;

/**
 * The last removed connection, while the removal can be undone. Its secret is no longer in the keychain, only
 * in this process's memory, until the next removal, the end of the process, or the timeout.
 */
export function createLastRemoved() {
  let lastRemoved: RemovedConnection | null = null;
  let expiryTimer: NodeJS.Timeout | undefined;
  const put = (removed: RemovedConnection | null): void => {
    clearTimeout(expiryTimer);
    lastRemoved = removed;
    if (removed) expiryTimer = setTimeout(put, undoMs, null).unref();
  };
  return {
    put,
    /** Returns and clears the connection; null: it can't be undone anymore. */
    take(id: string): RemovedConnection | null {
      if (lastRemoved?.profile.id !== id) return null;
      const removed = lastRemoved;
      put(null);
      return removed;
    },
    /** Texts to redact. */
    secrets(): string[] {
      const { proxyPassword = null, certificateSecret = null } = lastRemoved ?? {};
      const proxy = [
        ...(proxyPassword === null ? [] : [proxyPassword]),
        ...(certificateSecret === null ? [] : passphrasesIn([certificateSecret])),
      ];
      if (!lastRemoved?.secret) return proxy;
      const { secret } = lastRemoved;
      const ownSecrets =
        secret.method === 'api_key'
          ? [secret.apiKey]
          : [secret.tokens.jwt, ...(secret.tokens.refreshToken === null ? [] : [secret.tokens.refreshToken])];
      return [...proxy, ...ownSecrets];
    },
  };
}

/** Captures a connection before its removal, with its secret if it can be read. */
export async function captureConnection(
  profile: ConnectionProfile,
  secretStore: SecretStore | null,
): Promise<Omit<RemovedConnection, 'proxyPassword' | 'certificateSecret'>> {
  const secret = (await secretStore?.read().catch(() => null)) ?? null;
  const { place, trouble } = secretStore?.state() ?? { place: 'missing' as const, trouble: undefined };
  // A secret that was in memory only because the keychain failed is restored to the keychain.
  return { profile, secret, place: place === 'session' && trouble !== undefined ? 'keychain' : place };
}

/** The saved connections, on disk and in the registry. */
export class SavedConnections {
  readonly #dependencies: SavedDependencies;
  readonly #removed = createLastRemoved();
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
      const proxyPassword =
        profile.proxy?.user === undefined ? null : await this.#dependencies.proxyPasswords.read(id);
      const certificateSecret = await this.#dependencies.certificates.secretText(profile.clientCertificate);
      const removed = {
        ...(await captureConnection(profile, secretStore)),
        proxyPassword,
        certificateSecret,
      };
      let isSecretLeft = false;
      await secretStore?.remove().catch((error: unknown) => {
        // A secret that was never in the keychain leaves nothing behind.
        if (onDisk?.secret === 'keychain' && !leaveSecret) throw error;
        isSecretLeft = onDisk?.secret === 'keychain';
      });
      if (profile.saved)
        await this.#dependencies.profiles
          ?.change((all) => all.filter((item) => item.id !== id))
          .catch(async (error: unknown) => {
            // The connection stays, so it keeps its secret.
            if (removed.secret) await secretStore?.write(removed.secret);
            throw error;
          });
      await this.#dependencies.registry.remove(id);
      if (profile.proxy) await this.#dependencies.proxyPasswords.remove(id);
      await this.#dependencies.certificates.remove(profile.clientCertificate);
      if (secretStore && !profile.sample)
        this.#removed.put(isSecretLeft ? { ...removed, place: 'left' } : removed);
    });
  }

  /**
   * Restores the last removed connection with its secret. If that fails, it can be tried again.
   * @throws AppError `invalid_input` when it can't be undone anymore; as `add`
   */
  restore(id: string): Promise<Connection> {
    return this.#saved.enqueue(async () => {
      const removed = this.#removed.take(id);
      if (!removed) throw invalidInput('This can’t be undone anymore. Add the connection again.');
      return this.#restore(removed).catch((error: unknown) => {
        this.#removed.put(removed);
        throw error;
      });
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

  async #restore({
    profile,
    secret,
    place,
    proxyPassword,
    certificateSecret,
  }: RemovedConnection): Promise<Connection> {
    const { id } = profile;
    const { profiles, proxyPasswords, certificates, registry, entry } = this.#dependencies;
    if (proxyPassword !== null) await proxyPasswords.write(id, proxyPassword, place === 'keychain');
    await certificates.restore(profile.clientCertificate, certificateSecret, place === 'keychain');
    if (secret) return this.#saved.saveNew(profile, secret, place !== 'session');
    const secretStore = this.#saved.secretStore(id, place === 'left' ? 'keychain' : 'missing');
    await profiles?.change((all) => [...all, toStoredProfile(profile, placeOf(secretStore))]);
    return registry.put(entry(profile, secretStore));
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
    this.#saved.recordAccepted(id);
  }
}

const requiredServices = ({ saveAnyway }: { readonly saveAnyway?: boolean | undefined }) =>
  saveAnyway ? 'none' : 'both';
