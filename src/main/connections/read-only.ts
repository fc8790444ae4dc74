import { AppError } from '../../shared/errors/errors.ts';
import type { Services } from '../services/services.ts';

/**
 * The services of a connection that may be switched to read-only at any time: an insert then throws
 * `connection_read_only` before anything is sent.
 */
export function guardInserts(services: Services, now: () => { name: string; readOnly: boolean }): Services {
  const { data } = services;
  return {
    ...services,
    data: {
      ...data,
      insert: async (...call) => {
        const { name, readOnly } = now();
        if (readOnly) throw new AppError('connection_read_only', { connection: name });
        return data.insert(...call);
      },
    },
  };
}
