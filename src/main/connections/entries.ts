import type { Credential } from '../../shared/connections/connections.ts';
import type { RefusalReason } from '../../shared/errors/errors.ts';
import type { Notice } from '../../shared/workspace/workspace.ts';
import type { Http } from '../http/http.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import type { ResolveProxy } from '../http/routes.ts';
import { apiKeyCredential } from '../services/api-key-credential.ts';
import { openWith, type Way } from '../services/open.ts';
import { replaceable } from '../services/replaceable.ts';
import { loginCredential } from '../services/token.ts';
import type { Entry, Facts, OpenConnection } from './book.ts';
import type { Environment } from './environment.ts';
import { credentialOf } from './proof.ts';
import { guardInserts } from './read-only.ts';
import type { Slot } from './slot.ts';
import { untilAuthenticated, type LookAgain } from './until-authenticated.ts';

export interface EntryOptions {
  readonly env: Environment;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
  readonly resolveProxy?: ResolveProxy | undefined;
  readonly lookAgain: LookAgain;
  /** The password of a connection's own proxy. */
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
  ): Way => ({
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
    const { services, credential, loginHttp } = openWith(way(now(), password), (http) =>
      replaceable(source(http), (why) => refused(now().id, why)),
    );
    const wait = (signal?: AbortSignal) => untilAuthenticated(credential, lookAgain, signal);
    return {
      services: { ...guardInserts(services, now), ...(mayChange ? { untilAuthenticated: wait } : {}) },
      credential,
      renew: () => credential.replace(source(loginHttp)),
    };
  }

  return {
    way,
    /** A connection whose secret stands in a slot. */
    entry: (facts: Facts, slot: Slot, password?: () => Promise<string | null>): Entry => ({
      facts,
      slot,
      refusal: null,
      open(now) {
        const onAccepted = () => accepted(facts.id);
        const source = (http: Http) => {
          const { method, acceptedAt } = now();
          return credentialOf({ method, slot, acceptedBefore: acceptedAt !== undefined, onAccepted }, http);
        };
        return opened(now, source, !facts.sample, password);
      },
    }),
    /** The connection of the environment: its secret is given, and can't be replaced. */
    fixed: (facts: Facts, credential: Credential, password?: () => Promise<string | null>): Entry => ({
      facts,
      slot: null,
      refusal: null,
      open: (now) => opened(now, fixedSource(credential), false, password),
    }),
  };
}

type WayFacts = Pick<Facts, 'id' | 'dataUrl' | 'platformUrl' | 'authorities' | 'proxy'>;

function fixedSource(given: Credential): (http: Http) => CredentialSource {
  if (given.method === 'login') return (http) => loginCredential({ http, login: given });
  return () => apiKeyCredential({ read: async () => given.apiKey, acceptedBefore: false });
}
