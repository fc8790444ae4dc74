import { invalidInput, AppError } from '../../../../shared/errors/errors.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { writingStages } from '../../../../shared/language/catalogue.ts';
import {
  platformFilters,
  type PlatformFilter,
  type PlatformResource,
} from '../../../../shared/wells/platform-filters.ts';

/** Why a page with more records than requested can't be used. */
export const tooManyRecords = (records: number, requested: number): string =>
  `it has ${records.toLocaleString('en')} records instead of at most ${requested.toLocaleString('en')}, as from a proxy that caches without the query of an address`;

/**
 * The last guard before a pipeline is sent (specification, section 4.1); its other rules are checked in its text.
 * @throws AppError `invalid_input` if a stage writes
 */
export function refuseWrites(stages: readonly JsonObject[]): void {
  const writing = stages.flatMap(Object.keys).find((name) => writingStages.has(name));
  if (writing !== undefined)
    throw invalidInput(`${writing} writes data. Only stages that read are allowed.`, { field: 'stages' });
}

/**
 * Checks the filter of a platform resource.
 * @throws AppError `invalid_input` with each filter or value that the resource doesn't support
 */
export function checkFilter(resource: PlatformResource, filter: unknown): PlatformFilter {
  const parsed = platformFilters[resource].safeParse(filter);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ message, path }) => ({
      message,
      place: { field: path.join('.') },
    }));
    throw new AppError('invalid_input', { issues });
  }
  const values: Readonly<Record<string, unknown>> = parsed.data;
  const corners = ['lat_start', 'lat_end', 'long_start', 'long_end'].filter(
    (name) => values[name] !== undefined,
  );
  if (corners.length % 4 !== 0)
    throw invalidInput('A box needs all four of lat_start, lat_end, long_start and long_end.', {
      field: 'lat_start',
    });
  return parsed.data;
}
