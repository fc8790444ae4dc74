import type { ConnectionCheck, Credential } from '../../../shared/connections/connections.ts';
import { AppError, toAppError, isAppError } from '../../../shared/errors/errors.ts';
import {
  type ServiceNetworkOptions,
  credentialSource,
  openServices,
  signInOnce,
} from '../wire/services/open.ts';
import type { CallOptions, Services } from '../wire/services/services.ts';
import { parseApiKey } from '../wire/services/api-key.ts';
import { signInCredential } from '../wire/services/token.ts';
import { memoryTokens, type Tokens } from '../wire/services/tokens.ts';
import type { Secret } from './secret-store.ts';
import { elapsedMs } from '../../world/time.ts';

// A person waits for the result, so a failure is shown soon.
const maxTries = 2;
const timeoutMs = 15_000;

/** The result of a small request to a service. */
export type ServiceCheck = Pick<Timed<unknown>, 'ms' | 'error'>;

/** The outcome of work, and how long it took. */
export interface Timed<T> {
  readonly ms: number;
  /** Null: it failed, or has none. */
  readonly value: T | null;
  readonly error: AppError | null;
}

/**
 * Measures work. An error is part of the outcome.
 * @throws AppError `cancelled`
 */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const startedAt = elapsedMs();
  const ms = () => Math.round(elapsedMs() - startedAt);
  try {
    const value = await work();
    return { ms: ms(), value, error: null };
  } catch (cause) {
    const error = toAppError(cause);
    if (error.is('cancelled')) throw error;
    return { ms: ms(), value: null, error };
  }
}

/** A small request to each service that requires credentials. */
const probeRequests = {
  data: ({ data }: Services, options: CallOptions) => data.datasets({ search: 'wits' }, options),
  platform: ({ platform }: Services, options: CallOptions) =>
    platform.page('wells', { per_page: 1 }, options),
} as const;

/**
 * Checks one service.
 * @throws AppError `cancelled`
 */
export const checkService = (
  service: keyof typeof probeRequests,
  services: Services,
  signal?: AbortSignal,
): Promise<ServiceCheck> =>
  timed<unknown>(() => probeRequests[service](services, { signal, maxTries, timeoutMs }));

/**
 * Checks both services at the same time.
 * @throws AppError `cancelled`
 */
async function checkBoth(services: Services, signal?: AbortSignal): Promise<ServiceChecks> {
  const [data, platform] = await Promise.all([
    checkService('data', services, signal),
    checkService('platform', services, signal),
  ]);
  return { data, platform };
}

type ServiceChecks = Readonly<Record<keyof typeof probeRequests, ServiceCheck>>;

/** As {@link checkBoth}; if neither service responds, also tests whether their addresses are swapped. */
async function checkBothOrSwapped(
  services: Services,
  networkOptions: ServiceNetworkOptions,
  signal?: AbortSignal,
): Promise<ServiceChecks> {
  const checks = await checkBoth(services, signal);
  if (
    hasResponded(checks.data) ||
    hasResponded(checks.platform) ||
    !(await areSwapped(networkOptions, signal))
  )
    return checks;
  const error = new AppError('addresses_swapped', {});
  return { data: { ...checks.data, error }, platform: { ...checks.platform, error } };
}

/** Whether the service responded, whatever the credentials. */
export const hasResponded = ({ error }: ServiceCheck): boolean =>
  error === null || error.is('forbidden') || error.is('not_authenticated');

/**
 * Whether each service responds at the other's address and neither at its own. Needs no credentials.
 * @throws AppError `cancelled`
 */
export async function areSwapped(
  networkOptions: ServiceNetworkOptions,
  signal?: AbortSignal,
): Promise<boolean> {
  const swapped = {
    ...networkOptions,
    dataUrl: networkOptions.platformUrl,
    platformUrl: networkOptions.dataUrl,
  };
  const results = await Promise.all(
    [networkOptions, swapped].map(async (addresses) => {
      const { services } = openServices(addresses, () => null);
      try {
        const { data, platform } = await checkBoth(services, signal);
        return [hasResponded(data), hasResponded(platform)];
      } finally {
        await services.close();
      }
    }),
  );
  const [ownResults, swappedResults] = results;
  return ownResults?.includes(true) === false && swappedResults?.includes(false) === false;
}

/**
 * Checks both services and describes the results.
 * @throws AppError `cancelled`
 */
export async function checkServices(
  services: Services,
  networkOptions: ServiceNetworkOptions,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  const { data, platform } = await checkBothOrSwapped(services, networkOptions, signal);
  return { data: toCheckResult(data, 'data'), platform: toCheckResult(platform, 'platform') };
}

function toCheckResult(
  { ms, error }: ServiceCheck,
  service: keyof typeof probeRequests,
): ConnectionCheck['data'] {
  if (error) return { ok: false, ms, message: error.message, code: error.code };
  return {
    ok: true,
    ms,
    message: `The ${service} service responds and accepts the credentials.`,
    code: null,
  };
}

/**
 * Passes if any service accepts the key. A service that is down, or without permission, doesn't count against
 * it.
 * @throws AppError the first error otherwise
 */
function assertAccepted({ data, platform }: ServiceChecks): void {
  const errors = [data.error, platform.error];
  for (const error of errors) if (error?.is('not_authenticated')) throw error;
  const isAccepted = errors.some((error) => error === null || error.is('forbidden'));
  const [first] = errors.filter((error) => error !== null);
  if (!isAccepted && first) throw first;
}

/**
 * Passes if both services respond and accept the credentials, with or without permission.
 * @throws AppError the first error, `not_authenticated` before others
 */
function assertBothAccept({ data, platform }: ServiceChecks): void {
  const errors = [data.error, platform.error].filter((error) => error !== null && !error.is('forbidden'));
  const error = errors.find((serviceError) => serviceError?.is('not_authenticated')) ?? errors[0];
  if (error) throw error;
}

interface VerifyOptions {
  /**
   * `both`: both services must accept it; `either`: one that is down is ignored; `none`: no request is sent.
   */
  readonly services: 'both' | 'either' | 'none';
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies entered credentials and converts them to the secret to store: a password is exchanged for tokens.
 * @throws AppError `invalid_input` for an invalid key, `not_authenticated` for refused credentials,
 *   `addresses_swapped`, `unreachable`, `timed_out`, or another error of a service
 */
export async function verifyCredential(
  credential: Credential,
  networkOptions: ServiceNetworkOptions,
  { services: required, signal }: VerifyOptions,
): Promise<Secret> {
  if (credential.method === 'login') {
    const tokens = await signInOnce(networkOptions, credential, signal).catch(async (error: unknown) => {
      throw isAppError(error, 'not_found') && (await areSwapped(networkOptions, signal))
        ? new AppError('addresses_swapped', {})
        : error;
    });
    return {
      method: 'login',
      tokens: required === 'both' ? await verifyTokens(tokens, networkOptions, signal) : tokens,
    };
  }
  const apiKey = parseApiKey(credential.apiKey);
  if (required === 'none') return { method: 'api_key', apiKey };
  const { services } = openServices(networkOptions, (http) => credentialSource(credential, http));
  await useServices(services, async () => {
    if (required === 'both') assertBothAccept(await checkBothOrSwapped(services, networkOptions, signal));
    else assertAccepted(await checkBoth(services, signal));
  });
  return { method: 'api_key', apiKey };
}

/** Verifies tokens with both services; returns them, or renewed ones. */
async function verifyTokens(
  first: Tokens,
  networkOptions: ServiceNetworkOptions,
  signal: AbortSignal | undefined,
): Promise<Tokens> {
  const store = memoryTokens();
  await store.write(first);
  const { services } = openServices(networkOptions, (http) => signInCredential({ http, login: null, store }));
  await useServices(services, async () =>
    assertBothAccept(await checkBothOrSwapped(services, networkOptions, signal)),
  );
  return (await store.read()) ?? first;
}

async function useServices(services: Services, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await services.close();
  }
}
