import { serviceUrl, type Credential } from '../../../../shared/connections/connections.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import type { ClockNotice, RetryNotice, SkippedNotice } from '../../../../shared/workspace/workspace.ts';
import { systemClock, type Clock } from '../http/retry.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import { openHttp, type Http } from '../http/http.ts';
import { openNetwork, type Network } from '../http/network.ts';
import type { OwnProxy, ResolveProxy } from '../http/routes.ts';
import type { ClientCertificate } from '../http/client-certificate.ts';
import type { Timeouts } from '../http/limits.ts';
import { apiKeyCredential, parseApiKey } from './api-key.ts';
import { dataService } from './data.ts';
import { signIn, type SignInDetails, type Tokens } from './tokens.ts';
import { platformService } from './platform.ts';
import type { Services } from './services.ts';
import { signInCredential } from './token.ts';

/** Options of a connection to services, without its credentials. */
export interface ServiceNetworkOptions {
  readonly dataUrl: string;
  readonly platformUrl: string;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  readonly onSkipped?: ((notice: SkippedNotice) => void) | undefined;
  /** Called once if a service's clock differs from this computer's by more than a minute. */
  readonly onClock?: ((notice: ClockNotice) => void) | undefined;
  /** Source of the proxy variables; default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeouts?: Timeouts | undefined;
  /** Further trusted authorities, in PEM. */
  readonly authorities?: readonly string[] | undefined;
  /** Shown to the services if they require one. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The system's proxy resolution. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** The connection's own proxy, which replaces the system's. */
  readonly proxy?: OwnProxy | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/**
 * The source of credentials that aren't stored: entered ones, or those of the environment.
 * @param platform a client of the platform without a credential, to sign in
 * @throws AppError `invalid_input` for an API key that a header can't hold
 */
export function credentialSource(credential: Credential, platform: Http): CredentialSource {
  if (credential.method === 'login') return signInCredential({ http: platform, login: credential });
  const key = parseApiKey(credential.apiKey);
  return apiKeyCredential({ read: async () => key, wasAccepted: false });
}

/**
 * Opens both services of a connection. Nothing is sent yet: the first request signs in.
 * @param createCredential receives a client of the platform without a credential, to sign in; null: requests have none
 * @throws AppError `invalid_input` for an address that is neither https nor on this computer, or a malformed proxy variable
 */
export function openServices<C extends CredentialSource | null>(
  options: ServiceNetworkOptions,
  createCredential: (platform: Http) => C,
): { services: Services; credential: C; signInHttp: Http } {
  const { dataUrl, platformUrl, network, common } = openShared(options);
  // Its own limiter: a request that waits for a token must not delay the request for the token.
  const signInHttp = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
  const credential = createCredential(signInHttp);
  const data = openHttp({ ...common, service: 'data', baseUrl: dataUrl, credential });
  const platform = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential });
  const services = {
    data: dataService(data),
    platform: platformService(platform),
    close: () => network.close(),
  };
  return { services, credential, signInHttp };
}

/**
 * Signs in once for a pair of tokens to store. Up to two tries, because a person waits.
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

function openShared(options: ServiceNetworkOptions) {
  const { onRetry, onSkipped, clock, random } = options;
  const dataUrl = checkUrl(options.dataUrl, 'dataUrl');
  const platformUrl = checkUrl(options.platformUrl, 'platformUrl');
  const network = openServicesNetwork(options);
  let isReported = false;
  const onClock = (notice: ClockNotice): void => {
    if (!isReported) options.onClock?.(notice);
    isReported = true;
  };
  return { dataUrl, platformUrl, network, common: { network, onRetry, onSkipped, onClock, clock, random } };
}

/** Opens the network access to both services. @throws AppError `invalid_input` when a proxy variable is malformed */
export function openServicesNetwork({
  env,
  timeouts,
  authorities = [],
  clientCertificate,
  resolveProxy,
  proxy,
  ...urls
}: ServiceNetworkOptions): Network {
  const tls = [urls.dataUrl, urls.platformUrl].some((url) => url.startsWith('https:'));
  return openNetwork({
    tls,
    clientCertificate,
    resolveProxy,
    proxy,
    authorities,
    ...(env ? { env } : {}),
    ...(timeouts ? { timeouts } : {}),
  });
}

/** Credentials are sent over https only, or to this computer, whatever the source of the address. */
function checkUrl(url: string, field: string): string {
  const parsed = serviceUrl.safeParse(url);
  if (!parsed.success)
    throw invalidInput(parsed.error.issues[0]?.message ?? 'This isn’t a valid address.', { field });
  return parsed.data;
}
