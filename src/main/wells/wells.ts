import type { calls } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import { platformFilters, type PlatformFilter } from '../../shared/wells.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { Services } from '../services/services.ts';
import { toWell } from './well.ts';

export interface WellsDependencies {
  readonly services: (connectionId: string) => Services;
}

/** What a person does with wells and the other platform resources (specification, section 4.2). */
export function createWells({ services }: WellsDependencies): RoomHandlers<(typeof calls)['wells']> {
  return {
    async list({ connection, filter }, { signal }) {
      const entities = await services(connection).platform.list('wells', filter, { signal });
      return entities.map(toWell);
    },
    async entities({ connection, resource, filter }, { signal }) {
      const parsed = platformFilters[resource].safeParse(filter);
      if (!parsed.success) {
        const issues = parsed.error.issues.map(({ message, path }) => ({
          message,
          place: { field: path.join('.') },
        }));
        throw new AppError('invalid_input', { issues });
      }
      const checked: PlatformFilter = parsed.data;
      return services(connection).platform.list(resource, checked, { signal });
    },
  };
}
