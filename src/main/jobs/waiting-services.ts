import { AppError } from '../../shared/errors/errors.ts';
import type { RetryNotice } from '../../shared/workspace/workspace.ts';
import type { CallOptions, Services } from '../services/services.ts';
import type { JobWaits } from './waits.ts';

/**
 * Services whose reads, as far as jobs use them, wait for a login or the link and ask again, and begin nothing in a
 * pause. Inserts don't wait: first it is to be noted that nothing was stored.
 * @param onNextTry told when a read is tried again, in milliseconds from now; null once it has its answer
 */
export function waitingServices(
  services: Services,
  { untilAgain, untilGoing, waitsOut }: Pick<JobWaits, 'untilAgain' | 'untilGoing' | 'waitsOut'>,
  onNextTry: (ms: number | null) => void,
): Services {
  const { data, platform } = services;
  async function waiting<T>(
    ask: (options: CallOptions) => Promise<T>,
    options: CallOptions | undefined,
  ): Promise<T> {
    let waited = false;
    const onRetry = ({ nextTryMs }: RetryNotice): void => {
      waited = true;
      onNextTry(nextTryMs);
    };
    for (;;) {
      await untilGoing(options?.signal);
      try {
        return await ask({ onRetry, ...options, isFinal: waitsOut });
      } catch (error) {
        if (!(error instanceof AppError) || !(await untilAgain(error, options?.signal))) throw error;
      } finally {
        if (waited) onNextTry(null);
        waited = false;
      }
    }
  }
  return {
    ...services,
    data: {
      ...data,
      find: (address, find, options) => waiting((own) => data.find(address, find, own), options),
      findUnread: (address, find, options) => waiting((own) => data.findUnread(address, find, own), options),
      count: (address, query, options) => waiting((own) => data.count(address, query, own), options),
      aggregate: (address, asked, options) => waiting((own) => data.aggregate(address, asked, own), options),
      pipeline: (address, stages, options) => waiting((own) => data.pipeline(address, stages, own), options),
      dataset: (address, options) => waiting((own) => data.dataset(address, own), options),
    },
    platform: {
      ...platform,
      list: (resource, filter, options) => waiting((own) => platform.list(resource, filter, own), options),
      get: (resource, id, options) => waiting((own) => platform.get(resource, id, own), options),
    },
  };
}
