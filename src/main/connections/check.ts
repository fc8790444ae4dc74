import type { ConnectionCheck } from '../../shared/connections.ts';
import { toAppError, type AppError } from '../../shared/errors.ts';
import type { CallOptions, Services } from '../services/services.ts';

// A test answers soon: a person waits for it, and sees a failure rather than ten tries.
const tries = 2;
const timeoutMs = 15_000;

/** How a small question to a service went. */
export interface Answered {
  readonly ms: number;
  readonly error: AppError | null;
}

/** One small question to each service, which needs the key or login. @throws AppError `cancelled` alone */
export const questions = {
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
    await questions[service](services, { signal, tries, timeoutMs });
    return { ms: ms(), error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.is('cancelled')) throw error;
    return { ms: ms(), error };
  }
}

/** Asks both services at the same time. @throws AppError `cancelled` alone */
export async function askBoth(
  services: Services,
  signal?: AbortSignal,
): Promise<{ data: Answered; platform: Answered }> {
  const [data, platform] = await Promise.all([
    ask('data', services, signal),
    ask('platform', services, signal),
  ]);
  return { data, platform };
}

/**
 * Reaches both services once and says in words what is wrong with each.
 * @throws AppError `cancelled` alone
 */
export async function checkServices(services: Services, signal?: AbortSignal): Promise<ConnectionCheck> {
  const { data, platform } = await askBoth(services, signal);
  return { data: inWords(data, 'data'), platform: inWords(platform, 'platform') };
}

function inWords({ ms, error }: Answered, service: keyof typeof questions): ConnectionCheck['data'] {
  if (error) return { ok: false, ms, message: error.message, code: error.code };
  return {
    ok: true,
    ms,
    message: `The ${service} service answers, and accepts the key or login.`,
    code: null,
  };
}

/**
 * Whether a key was let in. One service that is down, or that the key has no permission for, does not speak against it.
 * @throws AppError what stands in the way of knowing
 */
export function assertAccepted({ data, platform }: { data: Answered; platform: Answered }): void {
  const errors = [data.error, platform.error];
  for (const error of errors) if (error?.is('not_authenticated')) throw error;
  const letIn = errors.some((error) => error === null || error.is('forbidden'));
  const [first] = errors.filter((error) => error !== null);
  if (!letIn && first) throw first;
}
