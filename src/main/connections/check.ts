import type { ConnectionCheck, Credential } from '../../shared/connections/connections.ts';
import { AppError, toAppError, isAppError } from '../../shared/errors/errors.ts';
import {
  openUnauthenticated,
  type ServiceNetworkOptions,
  signInOnce,
  openServices,
  openServicesWith,
} from '../services/open.ts';
import type { CallOptions, Services } from '../services/services.ts';
import { parseApiKey } from '../services/api-key.ts';
import { signInCredential } from '../services/token.ts';
import { memoryTokens, type Tokens } from '../services/tokens.ts';
import type { Secret } from './secret-store.ts';

// A test answers soon: a person waits for it, and sees a failure rather than ten tries.
const maxTries = 2;
const timeoutMs = 15_000;

/** How a small question to a service went. */
export interface Answered {
  readonly ms: number;
  readonly error: AppError | null;
}

/** One small question to each service, which needs the key or login. @throws AppError `cancelled` alone */
const questions = {
  data: ({ data }: Services, options: CallOptions) => data.datasets({ search: 'wits' }, options),
  platform: ({ platform }: Services, options: CallOptions) =>
    platform.page('wells', { per_page: 1 }, options),
} as const;

/** Asks one service. @throws AppError `cancelled` alone */
export async function ask(
  service: keyof typeof questions,
  services: Services,
  signal?: AbortSignal,
): Promise<Answered> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    await questions[service](services, { signal, maxTries, timeoutMs });
    return { ms: ms(), error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.is('cancelled')) throw error;
    return { ms: ms(), error };
  }
}

/** Asks both services at the same time. @throws AppError `cancelled` alone */
async function askBoth(services: Services, signal?: AbortSignal): Promise<Answers> {
  const [data, platform] = await Promise.all([
    ask('data', services, signal),
    ask('platform', services, signal),
  ]);
  return { data, platform };
}

type Answers = Readonly<Record<keyof typeof questions, Answered>>;

/** Asks both services as {@link askBoth}, and where neither is at its address, looks for it at the other's. */
async function askBothOrSwapped(
  services: Services,
  way: ServiceNetworkOptions,
  signal?: AbortSignal,
): Promise<Answers> {
  const answers = await askBoth(services, signal);
  if (isThere(answers.data) || isThere(answers.platform) || !(await areSwapped(way, signal))) return answers;
  const error = new AppError('addresses_swapped', {});
  return { data: { ...answers.data, error }, platform: { ...answers.platform, error } };
}

/** Whether a service answered that has such an endpoint, whoever asked. */
export const isThere = ({ error }: Answered): boolean =>
  error === null || error.is('forbidden') || error.is('not_authenticated');

/**
 * Whether each service is at the other's address, and neither at its own. Asked without a key or login: neither is
 * needed to see which endpoints there are.
 * @throws AppError `cancelled` alone
 */
export async function areSwapped(way: ServiceNetworkOptions, signal?: AbortSignal): Promise<boolean> {
  const swapped = { ...way, dataUrl: way.platformUrl, platformUrl: way.dataUrl };
  const found = await Promise.all(
    [way, swapped].map(async (one) => {
      const services = openUnauthenticated(one);
      try {
        const { data, platform } = await askBoth(services, signal);
        return [isThere(data), isThere(platform)];
      } finally {
        await services.close();
      }
    }),
  );
  const [own, others] = found;
  return own?.includes(true) === false && others?.includes(false) === false;
}

/**
 * Reaches both services once and says in words what is wrong with each.
 * @throws AppError `cancelled` alone
 */
export async function checkServices(
  services: Services,
  way: ServiceNetworkOptions,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  const { data, platform } = await askBothOrSwapped(services, way, signal);
  return { data: inWords(data, 'data'), platform: inWords(platform, 'platform') };
}

function inWords({ ms, error }: Answered, service: keyof typeof questions): ConnectionCheck['data'] {
  if (error) return { ok: false, ms, message: error.message, code: error.code };
  return {
    ok: true,
    ms,
    message: `The ${service} service responds and accepts the credentials.`,
    code: null,
  };
}

/**
 * Whether a key was let in. One service that is down, or that the key has no permission for, does not speak against it.
 * @throws AppError what stands in the way of knowing
 */
function assertAccepted({ data, platform }: Answers): void {
  const errors = [data.error, platform.error];
  for (const error of errors) if (error?.is('not_authenticated')) throw error;
  const letIn = errors.some((error) => error === null || error.is('forbidden'));
  const [first] = errors.filter((error) => error !== null);
  if (!letIn && first) throw first;
}

/**
 * Whether both services answer and accept the key or login. One that it has no permission for does.
 * @throws AppError what is wrong: the key or login before anything else
 */
function assertBothAccept({ data, platform }: Answers): void {
  const errors = [data.error, platform.error].filter((error) => error !== null && !error.is('forbidden'));
  const error = errors.find((one) => one?.is('not_authenticated')) ?? errors[0];
  if (error) throw error;
}

interface ProveOptions {
  /** `both`: both services have to accept it; `either`: one that is down does not count; `none`: they are not asked. */
  readonly services: 'both' | 'either' | 'none';
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes of what a person typed the secret that is kept: logs in, because a password is not kept; looks at a key; and
 * tries it at the services.
 * @throws AppError `invalid_input` for a key that a header can't hold, `not_authenticated` for what is refused,
 * `addresses_swapped`, or why a service could not be asked
 */
export async function prove(
  credential: Credential,
  way: ServiceNetworkOptions,
  { services: wanted, signal }: ProveOptions,
): Promise<Secret> {
  if (credential.method === 'login') {
    const tokens = await signInOnce(way, credential, signal).catch(async (error: unknown) => {
      throw isAppError(error, 'not_found') && (await areSwapped(way, signal))
        ? new AppError('addresses_swapped', {})
        : error;
    });
    return { method: 'login', tokens: wanted === 'both' ? await tried(tokens, way, signal) : tokens };
  }
  const apiKey = parseApiKey(credential.apiKey);
  if (wanted === 'none') return { method: 'api_key', apiKey };
  await used(openServices({ ...way, credential: { method: 'api_key', apiKey } }), async (services) => {
    if (wanted === 'both') assertBothAccept(await askBothOrSwapped(services, way, signal));
    else assertAccepted(await askBoth(services, signal));
  });
  return { method: 'api_key', apiKey };
}

/** The tokens after both services were asked with them: they may have been renewed on the way. */
async function tried(
  first: Tokens,
  way: ServiceNetworkOptions,
  signal: AbortSignal | undefined,
): Promise<Tokens> {
  const store = memoryTokens();
  await store.write(first);
  const { services } = openServicesWith(way, (http) => signInCredential({ http, login: null, store }));
  await used(services, async () => assertBothAccept(await askBothOrSwapped(services, way, signal)));
  return (await store.read()) ?? first;
}

async function used(services: Services, work: (services: Services) => Promise<void>): Promise<void> {
  try {
    await work(services);
  } finally {
    await services.close();
  }
}
