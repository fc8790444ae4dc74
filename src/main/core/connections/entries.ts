import type { Credential } from '../../../shared/connections/connections.ts';
import { type RefusalReason, AppError } from '../../../shared/errors/errors.ts';
import type { Notice } from '../../../shared/workspace/workspace.ts';
import type { Http } from '../wire/http/http.ts';
import type { CredentialSource } from '../wire/http/credential-source.ts';
import type { ClientCertificate } from '../wire/http/client-certificate.ts';
import type { ResolveProxy } from '../wire/http/routes.ts';
import { apiKeyCredential } from '../wire/services/api-key.ts';
import { credentialSource, openServices, type ServiceNetworkOptions } from '../wire/services/open.ts';
import { replaceable, type ReplaceableCredential } from '../wire/services/replaceable.ts';
import { signInCredential } from '../wire/services/token.ts';
import type { RegistryEntry, ConnectionProfile, OpenConnection } from './registry.ts';
import type { Environment } from './environment.ts';
import type { SecretStore } from './secret-store.ts';
import type { StoredClientCertificate } from './stored-profiles.ts';
import type { TokenStore } from '../wire/services/tokens.ts';
import type { Services } from '../wire/services/services.ts';
import { clearInterval, setInterval } from '../../world/time.ts';

interface EntryOptions {
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly resolveProxy?: ResolveProxy | undefined;
  readonly poll: PollOptions;
  readonly proxyPassword: (id: string) => Promise<string | null>;
  /** A stored client certificate, for a network. */
  readonly clientCertificate: (stored: StoredClientCertificate) => ClientCertificate | undefined;
  /** Called with the reason when credentials are refused, and with null when they are accepted. */
  readonly onRefused: (id: string, reason: RefusalReason | null) => void;
  /** Units of a dataset's fields that the application remembers; absent: none. */
  readonly fieldUnits?: Services['data']['fieldUnits'] | undefined;
  /** Called when a service accepts the key of a connection. */
  readonly onKeyAccepted: (id: string) => void;
}

export type EntryFactory = Omit<ReturnType<typeof createEntryFactory>, 'fixed'>;

/** Creates the registry entries of connections. */
export function createEntryFactory(options: EntryOptions) {
  const { env, onNotice, resolveProxy, poll, fieldUnits, onRefused, onKeyAccepted } = options;
  /**
   * @param password reads the proxy's password; default: the stored one
   */
  const networkOptions = (
    { id, dataUrl, platformUrl, authorities, clientCertificate, proxy }: NetworkProfile,
    password = () => options.proxyPassword(id),
  ): ServiceNetworkOptions => ({
    dataUrl,
    platformUrl,
    authorities,
    clientCertificate: options.clientCertificate(clientCertificate),
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
    password?: () => Promise<string | null>,
  ): OpenConnection {
    const { services, credential, signInHttp } = openServices(networkOptions(now(), password), (http) =>
      replaceable(source(http), (reason) => onRefused(now().id, reason)),
    );
    const data = { ...services.data, ...(fieldUnits && { fieldUnits }) };
    const wait = (signal?: AbortSignal) => waitForNewCredentials(credential, poll, signal);
    return {
      services: {
        ...guardInserts({ ...services, data }, now),
        ...(isReplaceable ? { waitForSignIn: wait } : {}),
      },
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
      password?: () => Promise<string | null>,
    ): RegistryEntry => ({
      profile,
      secretStore,
      refusal: null,
      open(now) {
        const onAccepted = () => onKeyAccepted(profile.id);
        const source = (http: Http) => storedCredential(http, now(), secretStore, onAccepted);
        return openConnection(now, source, !profile.sample, password);
      },
    }),
    /** An entry with given credentials that can't be replaced, such as those of the environment. */
    fixed: (
      profile: ConnectionProfile,
      credential: Credential,
      password?: () => Promise<string | null>,
    ): RegistryEntry => ({
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
 * Resolves when a connection gets other credentials, in this or another process.
 * @throws AppError `cancelled` when the signal aborts
 */
async function waitForNewCredentials(
  credential: Pick<ReplaceableCredential, 'waitForReplacement'>,
  { reload, intervalMs }: PollOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  // A failed reload is repeated at the next interval.
  const timer = setInterval(() => void reload().catch(() => undefined), intervalMs).unref();
  try {
    await credential.waitForReplacement(signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Makes inserts throw `connection_read_only` before anything is sent, if the connection is read-only at that
 * moment.
 */
function guardInserts(services: Services, now: () => { name: string; readOnly: boolean }): Services {
  const { data } = services;
  return {
    ...services,
    data: {
      ...data,
      insert: async (...call) => {
        const { name, readOnly } = now();
        if (readOnly) throw new AppError('connection_read_only', { connection: name });
        return data.insert(...call);
      },
    },
  };
}
