import { serviceUrl, type Credential } from '../../../../shared/connections/connections.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import type { RetryNotice, SkippedNotice } from '../../../../shared/workspace/workspace.ts';
import { systemClock, type Clock } from '../http/retry.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import { openHttp, type Http } from '../http/http.ts';
import { openNetwork, type Network } from '../http/network.ts';
import type { OwnProxy, ResolveProxy } from '../http/routes.ts';
import type { Timeouts } from '../http/limits.ts';
import { apiKeyCredential, parseApiKey } from './api-key.ts';
import { dataService } from './data.ts';
import { signIn, type SignInDetails, type Tokens, type TokenStore } from './tokens.ts';
import { platformService } from './platform.ts';
import type { Services } from './services.ts';
import { signInCredential } from './token.ts';

export interface ServicesOptions {
  readonly dataUrl: string;
  readonly platformUrl: string;
  /** The secret itself, or what makes a source of headers from a client of the platform that needs none. */
  readonly credential: Credential | ((platform: Http) => CredentialSource);
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  readonly onSkipped?: ((notice: SkippedNotice) => void) | undefined;
  /** Where proxy variables are read; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where a login's tokens are kept; in memory by default. */
  readonly tokens?: TokenStore | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** Further authorities in PEM that certificates may be signed by. */
  readonly authorities?: readonly string[] | undefined;
  /** Finds the proxy of the system for an address. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** A proxy that replaces that of the system. */
  readonly proxy?: OwnProxy | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** Options of a connection to services, without its credentials. */
export type ServiceNetworkOptions = Omit<ServicesOptions, 'credential' | 'tokens'>;

/**
 * Opens both services of a connection. No request is made yet: a login happens with the first.
 * @throws AppError `invalid_input` for an address that is neither https nor on this machine, an API key that a header
 * can't hold, or a malformed proxy variable
 */
export function openServices(options: ServicesOptions): Services {
  const { credential, tokens: store, clock } = options;
  return openServicesWith(options, (http) => {
    if (typeof credential === 'function') return credential(http);
    if (credential.method === 'login') return signInCredential({ http, login: credential, store, clock });
    const key = parseApiKey(credential.apiKey);
    return apiKeyCredential({ read: async () => key, wasAccepted: false });
  }).services;
}

/**
 * As {@link openServices}, with a credential of the caller's making.
 * @param createCredential receives a client of the platform without a credential, to sign in
 * @throws AppError `invalid_input` for an invalid address or proxy
 */
export function openServicesWith<C extends CredentialSource>(
  options: ServiceNetworkOptions,
  createCredential: (platform: Http) => C,
): { services: Services; credential: C; signInHttp: Http } {
  const { dataUrl, platformUrl, network, common } = openShared(options);
  // Its own limiter: a request that waits for a token must not delay the request for the token.
  const signInHttp = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
  const credential = createCredential(signInHttp);
  const data = openHttp({ ...common, service: 'data', baseUrl: dataUrl, credential });
  const platform = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential });
  const close = () => network.close();
  return {
    services: { data: dataService(data), platform: platformService(platform), close },
    credential,
    signInHttp,
  };
}

/** Opens both services with neither key nor login, to see what answers there. @throws AppError as {@link openServices} */
export function openUnauthenticated(options: ServiceNetworkOptions): Services {
  const { dataUrl, platformUrl, network, common } = openShared(options);
  const data = openHttp({ ...common, service: 'data', baseUrl: dataUrl, credential: null });
  const platform = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
  return {
    data: dataService(data),
    platform: platformService(platform),
    close: () => network.close(),
  };
}

/**
 * Signs in once for a pair of tokens to store. At most two attempts, because a person waits.
 * @throws AppError `not_authenticated` for a wrong email or password; otherwise the failure of the request
 */
export async function signInOnce(
  options: ServiceNetworkOptions,
  login: SignInDetails,
  signal?: AbortSignal,
): Promise<Tokens> {
  const { platformUrl, network, common } = openShared(options);
  const http = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
  try {
    return await signIn({ http, login, clock: options.clock ?? systemClock, signal, maxTries: 2 });
  } finally {
    await network.close();
  }
}

/** What all clients of a connection have in common. */
function openShared(options: ServiceNetworkOptions) {
  const { onRetry, onSkipped, clock, random } = options;
  const dataUrl = checkUrl(options.dataUrl, 'dataUrl');
  const platformUrl = checkUrl(options.platformUrl, 'platformUrl');
  const network = openServicesNetwork(options);
  return { dataUrl, platformUrl, network, common: { network, onRetry, onSkipped, clock, random } };
}

/** Opens the network between here and both services. @throws AppError `invalid_input` when a proxy variable is malformed */
export function openServicesNetwork({
  env,
  timeouts,
  authorities = [],
  resolveProxy,
  proxy,
  ...urls
}: ServiceNetworkOptions): Network {
  const tls = [urls.dataUrl, urls.platformUrl].some((url) => url.startsWith('https:'));
  return openNetwork({
    tls,
    resolveProxy,
    proxy,
    authorities,
    ...(env ? { env } : {}),
    ...(timeouts ? { timeouts } : {}),
  });
}

/** Wherever an address came from: a secret goes over https, or stays on this machine. */
function checkUrl(url: string, field: string): string {
  const parsed = serviceUrl.safeParse(url);
  if (!parsed.success)
    throw invalidInput(parsed.error.issues[0]?.message ?? 'This isn’t a valid address.', { field });
  return parsed.data;
}
