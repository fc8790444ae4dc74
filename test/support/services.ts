import { afterEach } from 'vitest';
import { openServices, type ServicesOptions } from '../../src/main/core/wire/services/open.ts';
import type { Services } from '../../src/main/core/wire/services/services.ts';
import { testClock } from './clock.ts';

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
