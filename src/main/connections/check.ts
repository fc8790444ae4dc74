import type { ConnectionCheck } from '../../shared/connections.ts';
import { toAppError } from '../../shared/errors.ts';
import type { Services } from '../services/services.ts';

// A test answers soon: a person waits for it, and sees a failure rather than ten tries.
const tries = 2;
const timeoutMs = 15_000;

/**
 * Reaches both services once and says in words what is wrong with each.
 * @throws AppError `cancelled` alone
 */
export async function checkServices(
  { data, platform }: Services,
  signal?: AbortSignal,
): Promise<ConnectionCheck> {
  const options = { signal, tries, timeoutMs };
  const [ofData, ofPlatform] = await Promise.all([
    checked('The data service answers, and accepts the key or login.', () =>
      data.datasets({ search: 'wits' }, options),
    ),
    checked('The platform service answers, and accepts the key or login.', () =>
      platform.page('wells', { per_page: 1 }, options),
    ),
  ]);
  return { data: ofData, platform: ofPlatform };
}

async function checked(fine: string, ask: () => Promise<unknown>): Promise<ConnectionCheck['data']> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    await ask();
    return { ok: true, ms: ms(), message: fine, code: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.is('cancelled')) throw error;
    return { ok: false, ms: ms(), message: error.message, code: error.code };
  }
}
