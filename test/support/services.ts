import { afterEach } from 'vitest';
import type { CredentialSource, Http } from '../../src/main/core/wire/http/http.ts';
import {
  credentialSource,
  openServices as open,
  type ServiceNetworkOptions,
} from '../../src/main/core/wire/services/open.ts';
import type { Services } from '../../src/main/core/wire/services/services.ts';
import { SignInCredential } from '../../src/main/core/wire/services/token.ts';
import type { TokenStore } from '../../src/main/core/wire/services/tokens.ts';
import type { Credential } from '../../src/shared/connections/connections.ts';
import { testClock } from './clock.ts';

interface ServicesOptions extends ServiceNetworkOptions {
  /** The credentials, or a function that creates their source. */
  readonly credential: Credential | ((platform: Http) => CredentialSource);
  /** The store of the tokens of a sign-in; default: in memory. */
  readonly tokens?: TokenStore | undefined;
}

/** Opens both services of a connection. */
export const openServices = ({ credential, tokens: store, ...options }: ServicesOptions): Services =>
  open(options, (http) => {
    if (typeof credential === 'function') return credential(http);
    if (credential.method === 'api_key') return credentialSource(credential, http);
    return new SignInCredential({ http, login: credential, store, clock: options.clock });
  }).services;

/** Opens services on one address for both, with an API key and a clock that stands still; closed after each test. */
export function useServices(): (url: string, more?: Partial<ServicesOptions>) => Services {
  const opened: Services[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((services) => services.close()));
  });
  return (url, more = {}) => {
    const services = openServices({
      dataUrl: url,
      platformUrl: url,
      credential: { method: 'api_key', apiKey: 'the-test-key' },
      env: {},
      clock: testClock({ frozen: true }),
      random: () => 0.5,
      ...more,
    });
    opened.push(services);
    return services;
  };
}
