import { afterEach } from 'vitest';
import { jsonOf, type Timeouts } from '../../../../../src/main/core/wire/http/exchange.ts';
import {
  type CredentialSource,
  openHttp,
  type Http,
  type HttpOptions,
} from '../../../../../src/main/core/wire/http/http.ts';
import {
  openNetwork,
  type Network,
  type NetworkOptions,
} from '../../../../../src/main/core/wire/http/network.ts';
import { testClock } from '../../../../support/clock.ts';

export const key = 'k3y-that-is-secret';
export const keyCredential: CredentialSource = {
  header: async () => `API ${key}`,
  onRefused: () => false,
  secrets: () => [key],
};
export const longTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 20_000,
};

/** Clients whose networks are closed after each test. Their clock stands still while they wait. */
export function useHttp() {
  const networks: Network[] = [];
  afterEach(async () => {
    await Promise.all(networks.splice(0).map((network) => network.close()));
  });
  return (
    baseUrl: string,
    options: Partial<HttpOptions> = {},
    network: Partial<NetworkOptions> = {},
  ): Http => {
    const opened = openNetwork({
      env: {},
      timeouts: longTimeouts,
      tls: baseUrl.startsWith('https'),
      ...network,
    });
    networks.push(opened);
    return openHttp({
      service: 'data',
      baseUrl,
      network: opened,
      credential: keyCredential,
      clock: testClock(),
      random: () => 0.5,
      ...options,
    });
  };
}

export const decode = jsonOf;
