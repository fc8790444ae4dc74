import { basename } from 'node:path';
import type { Connection, Credential } from '../../../shared/connections/connections.ts';
import { AppError, type KeychainTrouble, type RefusalReason } from '../../../shared/errors/errors.ts';
import type { Notice } from '../../../shared/workspace/workspace.ts';
import type { CredentialSource } from '../wire/http/credential-source.ts';
import type { Http } from '../wire/http/http.ts';
import type { Environment } from '../wire/http/proxies.ts';
import type { ResolveProxy } from '../wire/http/routes.ts';
import { apiKeyCredential } from '../wire/services/api-key.ts';
import { credentialSource, openServices, type ServiceNetworkOptions } from '../wire/services/open.ts';
import { replaceable, type ReplaceableCredential } from '../wire/services/replaceable.ts';
import type { Services } from '../wire/services/services.ts';
import { signInCredential } from '../wire/services/token.ts';
import type { TokenStore } from '../wire/services/tokens.ts';
import { summarizeAuthorities, type Certificates, type StoredClientCertificate } from './certificates.ts';
import type { ExtraPasswords, SecretStore } from './secrets.ts';
import { clearInterval, setInterval } from '../../world/time.ts';

/** A connection without its secret. */
export interface ConnectionProfile extends Pick<
  Connection,
  'id' | 'name' | 'color' | 'dataUrl' | 'platformUrl' | 'method' | 'readOnly' | 'sample' | 'proxy'
> {
  readonly email?: string | undefined;
  /** Trusted certificates in PEM, beside the system's. */
  readonly authorities: readonly string[];
  readonly clientCertificate?: StoredClientCertificate;
  /** Whether its profile is on disk; else it exists until this process ends. */
  readonly saved: boolean;
  /** When its key was last accepted or its sign-in succeeded: ISO 8601, UTC. */
  readonly acceptedAt?: string | undefined;
  /** When its secret was replaced: ISO 8601, UTC. */
  readonly replacedAt?: string | undefined;
}

/** The services of a connection, with a credential source that can be replaced while they are in use. */
export interface OpenConnection {
  readonly services: Services;
  readonly credential: ReplaceableCredential;
  /** Uses the secret that is stored now. */
  renew(): void;
}

export interface RegistryEntry {
  profile: ConnectionProfile;
  /** Null: the environment provides the credentials. */
  readonly secretStore: SecretStore | null;
  /** Why the password of its proxy, or the secret of its certificate, isn't in the keychain. */
  readonly extraTrouble?: (profile: ConnectionProfile) => KeychainTrouble | undefined;
  /** Why the services refuse the credentials; null if they don't. */
  refusal: RefusalReason | null;
  /** Opens the services. The function that it gets returns the current profile. */
  readonly open: (profile: () => ConnectionProfile) => OpenConnection;
}

/** A connection as the contract shows it. */
export function toConnection({ profile, secretStore, extraTrouble, refusal }: RegistryEntry): Connection {
  const { authorities, clientCertificate, email, replacedAt, acceptedAt: _acceptedAt, ...rest } = profile;
  const { place, trouble } = secretStore?.state() ?? { place: 'environment' as const, trouble: undefined };
  const extraKeychain = extraTrouble?.(profile);
  return {
    ...rest,
    secret: place,
    ...(trouble === undefined ? {} : { keychain: trouble }),
    ...(extraKeychain === undefined ? {} : { extraKeychain }),
    ...(refusal === null ? {} : { refused: refusal }),
    ...(email === undefined ? {} : { email }),
    ...(replacedAt === undefined ? {} : { replacedAt }),
    ...(clientCertificate ? { clientCertificate: basename(clientCertificate.path) } : {}),
    ...(clientCertificate?.keyPath === undefined ? {} : { clientKey: basename(clientCertificate.keyPath) }),
    ...(authorities.length === 0 ? {} : { authorities: summarizeAuthorities(authorities) }),
  };
}

/** Whether two profiles reach the services differently, so that open services must be reopened. */
function hasOtherRoute(a: ConnectionProfile, b: ConnectionProfile): boolean {
  const routeKey = ({ dataUrl, platformUrl, authorities, clientCertificate, proxy }: ConnectionProfile) =>
    JSON.stringify([dataUrl, platformUrl, proxy, clientCertificate, authorities]);
  return routeKey(a) !== routeKey(b);
}

/** The connections of this process: saved ones, and those of this session. */
export class ConnectionRegistry {
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #open = new Map<string, OpenConnection>();
  readonly #onChange: () => void;

  /** @param onChange called after each change */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  async #closeServices(id: string): Promise<void> {
    const existing = this.#open.get(id);
    this.#open.delete(id);
    await existing?.services.close();
  }

  list(): Connection[] {
    return [...this.#entries.values()].map(toConnection);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** @throws AppError `connection_unknown` */
  entry(id: string): RegistryEntry {
    const existing = this.#entries.get(id);
    if (!existing) throw new AppError('connection_unknown', { connection: id });
    return existing;
  }

  /** Adds a connection; closes and replaces one with the same id. */
  async put(newEntry: RegistryEntry): Promise<Connection> {
    const { id } = newEntry.profile;
    this.#entries.set(id, newEntry);
    await this.#closeServices(id);
    this.#onChange();
    return toConnection(newEntry);
  }

  /**
   * Changes a profile and closes the services if their addresses or proxy changed.
   * @throws AppError `connection_unknown`
   */
  async update(id: string, change: Partial<ConnectionProfile>): Promise<Connection> {
    const existing = this.entry(id);
    const previous = existing.profile;
    existing.profile = { ...previous, ...change };
    if (hasOtherRoute(previous, existing.profile)) {
      existing.refusal = null;
      // Who waits for other credentials there asks the services that are opened next.
      this.renew(id);
      await this.#closeServices(id);
    }
    this.#onChange();
    return toConnection(existing);
  }

  /**
   * The services, opened at the first call.
   * @throws AppError `connection_unknown`, `invalid_input`
   */
  open(id: string): OpenConnection {
    const existing = this.entry(id);
    const openServices = this.#open.get(id) ?? existing.open(() => existing.profile);
    this.#open.set(id, openServices);
    return openServices;
  }

  /** Sets or clears the refusal of a connection; unknown ids are ignored. */
  setRefusal(id: string, reason: RefusalReason | null): void {
    const existing = this.#entries.get(id);
    if (!existing || existing.refusal === reason) return;
    existing.refusal = reason;
    this.#onChange();
  }

  /** If it is open: uses the secret that is stored now. */
  renew(id: string): void {
    this.#open.get(id)?.renew();
  }

  openServices(): OpenConnection[] {
    return [...this.#open.values()];
  }

  /**
   * Closes and removes a connection.
   * @throws AppError `connection_unknown`
   */
  async remove(id: string): Promise<void> {
    this.entry(id);
    this.#entries.delete(id);
    await this.#closeServices(id);
    this.#onChange();
  }

  async close(): Promise<void> {
    this.#entries.clear();
    await Promise.all([...this.#open.keys()].map((id) => this.#closeServices(id)));
  }
}

interface EntryOptions {
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly resolveProxy?: ResolveProxy | undefined;
  readonly poll: PollOptions;
  readonly proxyPasswords: ExtraPasswords;
  readonly certificates: Certificates;
  /** Called with the reason when credentials are refused, and with null when they are accepted. */
  readonly onRefused: (id: string, reason: RefusalReason | null) => void;
  /** Units of a dataset's fields that the application remembers; absent: none. */
  readonly fieldUnits?: Services['data']['fieldUnits'] | undefined;
  /** Called when a service accepts the key of a connection. */
  readonly onKeyAccepted: (id: string) => void;
}

/** Reads the password of a proxy; null: it has none. */
export type ReadPassword = () => Promise<string | null>;

export type EntryFactory = Omit<ReturnType<typeof createEntryFactory>, 'fixed'>;

/** Creates the registry entries of connections. */
export function createEntryFactory(options: EntryOptions) {
  const { env, onNotice, resolveProxy, poll, fieldUnits, onRefused, onKeyAccepted } = options;
  /**
   * @param password reads the proxy's password; default: the stored one
   */
  const networkOptions = (
    { id, dataUrl, platformUrl, authorities, clientCertificate, proxy }: NetworkProfile,
    password = () => options.proxyPasswords.get(id),
  ): ServiceNetworkOptions => ({
    dataUrl,
    platformUrl,
    authorities,
    clientCertificate: options.certificates.forNetwork(clientCertificate),
    env,
    resolveProxy,
    proxy: proxy && { ...proxy, password },
    onRetry: (notice) => onNotice?.({ ...notice, connection: id }),
    onSkipped: (notice) => onNotice?.({ ...notice, connection: id }),
    onClock: (notice) => onNotice?.({ ...notice, connection: id }),
  });

  function openConnection(
    now: () => ConnectionProfile,
    source: (http: Http) => CredentialSource,
    isReplaceable: boolean,
    password?: ReadPassword,
  ): OpenConnection {
    const { services, credential, signInHttp } = openServices(networkOptions(now(), password), (http) =>
      replaceable(source(http), (reason) => onRefused(now().id, reason)),
    );
    const data = { ...services.data, ...(fieldUnits && { fieldUnits }) };
    const wait = (signal?: AbortSignal) => waitForNewCredentials(credential, poll, signal);
    const guarded = guardInserts({ ...services, data }, now, poll.reload);
    return {
      services: isReplaceable ? { ...guarded, waitForSignIn: wait } : guarded,
      credential,
      renew: () => credential.replace(source(signInHttp)),
    };
  }

  return {
    networkOptions,
    /** A connection whose secret is stored. */
    entry: (
      profile: ConnectionProfile,
      secretStore: SecretStore,
      password?: ReadPassword,
    ): RegistryEntry => ({
      profile,
      secretStore,
      extraTrouble: ({ id, clientCertificate }) =>
        options.proxyPasswords.trouble(id) ?? options.certificates.trouble(clientCertificate),
      refusal: null,
      open(now) {
        const onAccepted = () => onKeyAccepted(profile.id);
        const source = (http: Http) => storedCredential(http, now(), secretStore, onAccepted);
        return openConnection(now, source, !profile.sample, password);
      },
    }),
    /** An entry with given credentials that can't be replaced, such as those of the environment. */
    fixed: (profile: ConnectionProfile, credential: Credential, password?: ReadPassword): RegistryEntry => ({
      profile,
      secretStore: null,
      refusal: null,
      open: (now) => openConnection(now, (http) => credentialSource(credential, http), false, password),
    }),
  };
}

type NetworkProfile = Pick<
  ConnectionProfile,
  'id' | 'dataUrl' | 'platformUrl' | 'authorities' | 'clientCertificate' | 'proxy'
>;

function storedCredential(
  http: Http,
  { method, acceptedAt }: ConnectionProfile,
  secretStore: SecretStore,
  onAccepted: () => void,
): CredentialSource {
  if (method === 'login') return signInCredential({ http, login: null, store: tokenStoreOver(secretStore) });
  const read = async (): Promise<string | null> => {
    const secret = await secretStore.read();
    return secret?.method === 'api_key' ? secret.apiKey : null;
  };
  return apiKeyCredential({ read, wasAccepted: acceptedAt !== undefined, onAccepted });
}

function tokenStoreOver(secretStore: SecretStore): TokenStore {
  return {
    async read() {
      const secret = await secretStore.read();
      return secret?.method === 'login' ? secret.tokens : null;
    },
    write: (tokens) => secretStore.write(tokens && { method: 'login', tokens }),
    withLock: (work) => secretStore.withLock(work),
  };
}

interface PollOptions {
  /** Loads changes by other processes, such as a sign-in. */
  readonly reload: () => Promise<void>;
  readonly intervalMs: number;
}

/**
 * Resolves when a connection gets other credentials, in this or another process, or those it has are accepted.
 * @returns whether they are other ones
 * @throws AppError `cancelled` when the signal aborts
 */
async function waitForNewCredentials(
  credential: Pick<ReplaceableCredential, 'waitForReplacement'>,
  { reload, intervalMs }: PollOptions,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // A failed reload is repeated at the next interval.
  const timer = setInterval(() => void reload().catch(() => undefined), intervalMs).unref();
  try {
    return await credential.waitForReplacement(signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Makes inserts throw `connection_read_only` before anything is sent, if the connection is read-only at that
 * moment, in this or another process.
 */
function guardInserts(
  services: Services,
  now: () => { name: string; readOnly: boolean },
  reload: PollOptions['reload'],
): Services {
  const { data } = services;
  return {
    ...services,
    data: {
      ...data,
      insert: async (...call) => {
        await reload().catch(() => undefined);
        const { name, readOnly } = now();
        if (readOnly) throw new AppError('connection_read_only', { connection: name });
        return data.insert(...call);
      },
    },
  };
}
