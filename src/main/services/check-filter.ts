import { AppError } from '../../shared/errors/errors.ts';
import {
  platformFilters,
  type PlatformFilter,
  type PlatformResource,
} from '../../shared/wells/platform-filters.ts';

/** @throws AppError `invalid_input` that names a filter the resource does not have, or a value it does not take */
export function checkFilter(resource: PlatformResource, filter: unknown): PlatformFilter {
  const parsed = platformFilters[resource].safeParse(filter);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ message, path }) => ({
    message,
    place: { field: path.join('.') },
  }));
  throw new AppError('invalid_input', { issues });
}
