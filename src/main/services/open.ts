import { serviceUrl, type Credential } from '../../shared/connections.ts';
import { invalidInput } from '../../shared/errors.ts';
import type { RetryNotice } from '../../shared/workspace.ts';
import type { Clock } from '../http/clock.ts';
import type { CredentialSource } from '../http/credential-source.ts';
import { openHttp, type Http } from '../http/http.ts';
import { openNetwork } from '../http/network.ts';
import type { ResolveProxy } from '../http/routes.ts';
import type { Timeouts } from '../http/timeouts.ts';
import { apiKeyCredential } from './api-key-credential.ts';
import { apiKeyIn } from './api-key.ts';
import { dataService } from './data.ts';
import { platformService } from './platform.ts';
import type { Services } from './services.ts';
import { loginCredential } from './token.ts';
import type { TokenStore } from './tokens.ts';

export interface OpenServices {
  readonly dataUrl: string;
  readonly platformUrl: string;
  /** The secret itself, or what makes a source of headers from a client of the platform that needs none. */
  readonly credential: Credential | ((platform: Http) => CredentialSource);
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Where proxy variables are read; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where a login's tokens are kept; in memory by default. */
  readonly tokens?: TokenStore | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** Further authorities in PEM that certificates may be signed by. */
  readonly authorities?: readonly string[] | undefined;
  /** Asks the system for the way to an address. */
  readonly resolveProxy?: ResolveProxy | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/**
 * Opens both services of a connection. No request is made yet: a login happens with the first.
 * @throws AppError `invalid_input` for an address that is neither https nor on this machine, an API key that a header
 * can't hold, or a malformed proxy variable
 */
export function openServices(options: OpenServices): Services {
  const { onRetry, env, timeouts, clock, random, authorities, resolveProxy } = options;
  const dataUrl = checkedUrl(options.dataUrl, 'dataUrl');
  const platformUrl = checkedUrl(options.platformUrl, 'platformUrl');
  const tls = [dataUrl, platformUrl].some((url) => url.startsWith('https:'));
  const network = openNetwork({
    tls,
    resolveProxy,
    authorities: authorities ?? [],
    ...(env ? { env } : {}),
    ...(timeouts ? { timeouts } : {}),
  });
  const common = { network, onRetry, clock, random };
  const credential = credentialSource();
  const data = openHttp({ ...common, service: 'data', baseUrl: dataUrl, credential });
  const platform = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential });
  return { data: dataService(data), platform: platformService(platform), close: () => network.close() };

  function credentialSource(): CredentialSource {
    const given = options.credential;
    // A limiter of its own: a request that waits for a token must not stand in the token's way.
    const http = openHttp({ ...common, service: 'platform', baseUrl: platformUrl, credential: null });
    if (typeof given === 'function') return given(http);
    if (given.method === 'login')
      return loginCredential({ http, login: given, store: options.tokens, clock });
    const key = apiKeyIn(given.apiKey);
    return apiKeyCredential({ read: async () => key, acceptedBefore: false });
  }
}

/** Wherever an address came from: a secret goes over https, or stays on this machine. */
function checkedUrl(url: string, field: string): string {
  const parsed = serviceUrl.safeParse(url);
  if (!parsed.success)
    throw invalidInput(parsed.error.issues[0]?.message ?? 'This is not an address.', { field });
  return parsed.data;
}
