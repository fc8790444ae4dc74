import type { Connection } from '../../shared/connections.ts';
import { AppError } from '../../shared/errors.ts';
import type { Services } from '../services/services.ts';

/** The services of a connection that must not write: an insert throws `connection_read_only` before anything is sent. */
export function withoutInserts(services: Services, { name }: Connection): Services {
  return {
    ...services,
    data: {
      ...services.data,
      insert: async () => {
        throw new AppError('connection_read_only', { connection: name });
      },
    },
  };
}
