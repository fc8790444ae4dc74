import { AppError } from '../../shared/errors/errors.ts';
import type { RetryNotice } from '../../shared/workspace/workspace.ts';
import type { CallOptions, Services } from '../services/services.ts';
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
  async function callWithWaits<T>(
    call: (options: CallOptions) => Promise<T>,
    options: CallOptions | undefined,
  ): Promise<T> {
    let hasWaited = false;
    const onRetry = ({ nextTryMs }: RetryNotice): void => {
      hasWaited = true;
      onNextTry(nextTryMs);
    };
    for (;;) {
      await waitWhilePaused(options?.signal);
      try {
        return await call({ onRetry, ...options, isFinal: isDeferred });
      } catch (error) {
        if (!(error instanceof AppError) || !(await waitForRecovery(error, options?.signal))) throw error;
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
      find: (address, find, options) =>
        callWithWaits((callOptions) => data.find(address, find, callOptions), options),
      findUnchecked: (address, find, options) =>
        callWithWaits((callOptions) => data.findUnchecked(address, find, callOptions), options),
      count: (address, query, options) =>
        callWithWaits((callOptions) => data.count(address, query, callOptions), options),
      aggregate: (address, query, options) =>
        callWithWaits((callOptions) => data.aggregate(address, query, callOptions), options),
      pipeline: (address, stages, options) =>
        callWithWaits((callOptions) => data.pipeline(address, stages, callOptions), options),
      dataset: (address, options) =>
        callWithWaits((callOptions) => data.dataset(address, callOptions), options),
    },
    platform: {
      ...platform,
      list: (resource, filter, options) =>
        callWithWaits((callOptions) => platform.list(resource, filter, callOptions), options),
      get: (resource, id, options) =>
        callWithWaits((callOptions) => platform.get(resource, id, callOptions), options),
    },
  };
}
