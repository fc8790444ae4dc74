import type { Credential } from '../../shared/connections/connections.ts';
import { type RefusalReason, AppError } from '../../shared/errors/errors.ts';
import type { Notice } from '../../shared/workspace/workspace.ts';
import type { Http } from '../http/http.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import type { ResolveProxy } from '../http/routes.ts';
import { apiKeyCredential } from '../services/api-key.ts';
import { openServicesWith, type ServiceNetworkOptions } from '../services/open.ts';
import { replaceable, type ReplaceableCredential } from '../services/replaceable.ts';
import { signInCredential } from '../services/token.ts';
import type { Entry, Facts, OpenConnection } from './book.ts';
import type { Environment } from './environment.ts';
import type { SecretStore } from './secret-store.ts';
import type { TokenStore } from '../services/tokens.ts';
import type { Services } from '../services/services.ts';

interface EntryOptions {
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly resolveProxy?: ResolveProxy | undefined;
  readonly lookAgain: LookAgain;
  readonly proxyPassword: (id: string) => Promise<string | null>;
  /** Told when the secret of a connection is let in no more, and null when it is again. */
  readonly refused: (id: string, why: RefusalReason | null) => void;
  /** Told when a service lets the key of a connection in. */
  readonly accepted: (id: string) => void;
}

/** What a connection needs to be opened. */
export function entriesOver(options: EntryOptions) {
  const { env, onNotice, resolveProxy, lookAgain, refused, accepted } = options;
  /** @param password of the connection's own proxy, where it is not the one that is kept */
  const way = (
    { id, dataUrl, platformUrl, authorities, proxy }: WayFacts,
    password = () => options.proxyPassword(id),
  ): ServiceNetworkOptions => ({
    dataUrl,
    platformUrl,
    authorities,
    env,
    resolveProxy,
    proxy: proxy && { ...proxy, password },
    onRetry: (notice) => onNotice?.({ ...notice, connection: id }),
  });

  function opened(
    now: () => Facts,
    source: (http: Http) => CredentialSource,
    mayChange: boolean,
    password?: () => Promise<string | null>,
  ): OpenConnection {
    const { services, credential, signInHttp } = openServicesWith(way(now(), password), (http) =>
      replaceable(source(http), (why) => refused(now().id, why)),
    );
    const wait = (signal?: AbortSignal) => untilAuthenticated(credential, lookAgain, signal);
    return {
      services: { ...guardInserts(services, now), ...(mayChange ? { waitForSignIn: wait } : {}) },
      credential,
      renew: () => credential.replace(source(signInHttp)),
    };
  }

  return {
    way,
    /** A connection whose secret stands in a secretStore. */
    entry: (facts: Facts, secretStore: SecretStore, password?: () => Promise<string | null>): Entry => ({
      facts,
      secretStore,
      refusal: null,
      open(now) {
        const onAccepted = () => accepted(facts.id);
        const source = (http: Http) => {
          const { method, acceptedAt } = now();
          return credentialOf(
            { method, secretStore, acceptedBefore: acceptedAt !== undefined, onAccepted },
            http,
          );
        };
        return opened(now, source, !facts.sample, password);
      },
    }),
    /** The connection of the environment: its secret is given, and can't be replaced. */
    fixed: (facts: Facts, credential: Credential, password?: () => Promise<string | null>): Entry => ({
      facts,
      secretStore: null,
      refusal: null,
      open: (now) => opened(now, fixedSource(credential), false, password),
    }),
  };
}

type WayFacts = Pick<Facts, 'id' | 'dataUrl' | 'platformUrl' | 'authorities' | 'proxy'>;

function fixedSource(given: Credential): (http: Http) => CredentialSource {
  if (given.method === 'login') return (http) => signInCredential({ http, login: given });
  return () => apiKeyCredential({ read: async () => given.apiKey, wasAccepted: false });
}

export interface Proof {
  readonly method: 'api_key' | 'login';
  readonly secretStore: SecretStore;
  readonly acceptedBefore: boolean;
  /** Told when a service lets a request with the key in. */
  readonly onAccepted: () => void;
}

/** The headers of a connection whose secret is kept in a secretStore. */
function credentialOf(
  { method, secretStore, acceptedBefore: wasAccepted, onAccepted }: Proof,
  http: Http,
): CredentialSource {
  if (method === 'login') return signInCredential({ http, login: null, store: tokensIn(secretStore) });
  const read = async (): Promise<string | null> => {
    const secret = await secretStore.read();
    return secret?.method === 'api_key' ? secret.apiKey : null;
  };
  return apiKeyCredential({ read, wasAccepted, onAccepted });
}

function tokensIn(secretStore: SecretStore): TokenStore {
  return {
    async read() {
      const secret = await secretStore.read();
      return secret?.method === 'login' ? secret.tokens : null;
    },
    write: (tokens) => secretStore.write(tokens && { method: 'login', tokens }),
    withLock: (work) => secretStore.alone(work),
  };
}

interface LookAgain {
  /** Brings what is known of connections up to what is on disk, a login that another process was given among it. */
  readonly look: () => Promise<void>;
  readonly everyMs: number;
}

/**
 * Resolves when another key or login is given to a connection, here or in another process.
 * @throws AppError `cancelled` as soon as the signal aborts
 */
async function untilAuthenticated(
  credential: Pick<ReplaceableCredential, 'waitForReplacement'>,
  { look, everyMs }: LookAgain,
  signal: AbortSignal | undefined,
): Promise<void> {
  // What stands in the way of looking now may be gone the next time.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  try {
    await credential.waitForReplacement(signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * The services of a connection that may be switched to read-only at any time: an insert then throws
 * `connection_read_only` before anything is sent.
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
