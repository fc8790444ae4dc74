import { AppError } from '../../../shared/errors/errors.ts';
import type { RetryNotice } from '../../../shared/workspace/workspace.ts';
import type { CallOptions, Services } from '../wire/services/services.ts';
import type { JobWaits } from './waits.ts';

/**
 * Services whose reads wait for sign-in or the link and then retry, and that start nothing in a pause.
 * Inserts don't wait: first the journal must record that nothing was stored.
 * @param onNextTry called before a retry with its delay in milliseconds, and with null when the read ends
 * @returns services for one job; reads throw as {@link Services} and `cancelled`
 */
export function waitingServices(
  services: Services,
  {
    waitForRecovery,
    waitWhilePaused,
    isDeferred,
  }: Pick<JobWaits, 'waitForRecovery' | 'waitWhilePaused' | 'isDeferred'>,
  onNextTry: (ms: number | null) => void,
): Services {
  const { data, platform } = services;
  async function withWaits<T>(
    options: CallOptions | undefined,
    call: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    let hasWaited = false;
    const isFinal = (error: AppError): boolean => isDeferred(error) || options?.isFinal?.(error) === true;
    const onRetry = ({ nextTryMs }: RetryNotice): void => {
      hasWaited = true;
      onNextTry(nextTryMs);
    };
    for (;;) {
      await waitWhilePaused(options?.signal);
      try {
        return await call({ onRetry, ...options, isFinal });
      } catch (error) {
        if (!(error instanceof AppError) || options?.isFinal?.(error) === true) throw error;
        if (!(await waitForRecovery(error, options?.signal))) throw error;
      } finally {
        if (hasWaited) onNextTry(null);
        hasWaited = false;
      }
    }
  }
  return {
    ...services,
    data: {
      ...data,
      find: (address, find, options) => withWaits(options, (waiting) => data.find(address, find, waiting)),
      findUnchecked: (address, find, options) =>
        withWaits(options, (waiting) => data.findUnchecked(address, find, waiting)),
      count: (address, query, options) =>
        withWaits(options, (waiting) => data.count(address, query, waiting)),
      aggregate: (address, query, options) =>
        withWaits(options, (waiting) => data.aggregate(address, query, waiting)),
      pipeline: (address, stages, options) =>
        withWaits(options, (waiting) => data.pipeline(address, stages, waiting)),
      dataset: (address, options) => withWaits(options, (waiting) => data.dataset(address, waiting)),
    },
    platform: {
      ...platform,
      list: (resource, filter, options) =>
        withWaits(options, (waiting) => platform.list(resource, filter, waiting)),
    },
  };
}
