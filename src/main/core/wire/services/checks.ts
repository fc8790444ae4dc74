import { invalidInput, AppError } from '../../../../shared/errors/errors.ts';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import {
  platformFilters,
  type PlatformFilter,
  type PlatformResource,
} from '../../../../shared/wells/platform-filters.ts';

/** Limit of a read (specification, section 8). */
const maxRecords = 10_000;

/** Why a page with more records than requested can't be used. */
export const tooManyRecords = (records: number, requested: number): string =>
  `it has ${records.toLocaleString('en')} records instead of at most ${requested.toLocaleString('en')}, as from a proxy that caches without the query of an address`;

/**
 * Checks the limit of a read.
 * @throws AppError `invalid_input` unless it is a whole number from 1 to 10,000
 */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxRecords) {
    throw invalidInput(`The limit must be a whole number from 1 to ${maxRecords}.`, { field: 'limit' });
  }
}

/**
 * Checks the skip of a read.
 * @throws AppError `invalid_input` unless it is a whole number of 0 or more
 */
export function checkSkip(skip: number | undefined): void {
  if (skip !== undefined && (!Number.isSafeInteger(skip) || skip < 0)) {
    throw invalidInput('Skip must be a whole number of 0 or more.', { field: 'skip' });
  }
}

/**
 * Checks a sort.
 * @throws AppError `invalid_input` unless each direction is 1 or -1
 */
export function checkSort(sort: JsonObject): void {
  for (const [path, direction] of Object.entries(sort)) {
    if (direction !== 1 && direction !== -1) {
      throw invalidInput(`The direction of “${path}” must be 1 (ascending) or -1 (descending).`, {
        field: 'sort',
      });
    }
  }
}

/**
 * Checks field paths.
 * @throws AppError `invalid_input` for a path that is empty or contains a comma
 */
export function checkFields(fields: readonly string[] | undefined): void {
  const invalidField = fields?.find((field) => field.trim() === '' || field.includes(','));
  if (invalidField !== undefined)
    throw invalidInput(`“${invalidField}” isn't a field path.`, { field: 'fields' });
}

const writeOperators = ['$merge', '$out'];

/**
 * Checks the stages of a pipeline (specification, section 4.1): at least one, each an object with one
 * operator, none that writes.
 * @throws AppError `invalid_input` with the number of the stage, from 1
 */
export function checkStages(stages: readonly unknown[]): asserts stages is readonly JsonObject[] {
  const field = 'stages';
  if (stages.length === 0) throw invalidInput('A pipeline needs at least one stage.', { field });
  for (const [index, stage] of stages.entries()) {
    const label = `Stage ${index + 1}`;
    if (!isObject(stage))
      throw invalidInput(`${label} must be an object such as { $match: { } }.`, { field });
    const operators = Object.keys(stage);
    const writeOperator = operators.find((name) => writeOperators.includes(name));
    if (writeOperator)
      throw invalidInput(`${label} is ${writeOperator}, which writes data. Only read stages are allowed.`, {
        field,
      });
    const [operator] = operators;
    if (operators.length !== 1 || !operator?.startsWith('$')) {
      throw invalidInput(`${label} must have exactly one operator, such as $match.`, { field });
    }
    if (operator === '$limit') checkStageLimit(stage[operator], label);
  }
}

function checkStageLimit(limit: unknown, label: string): void {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return;
  throw invalidInput(`${label}: $limit must be a whole number of 1 or more.`, { field: 'stages' });
}

/**
 * Checks the filter of a platform resource.
 * @throws AppError `invalid_input` with each filter or value that the resource doesn't support
 */
export function checkFilter(resource: PlatformResource, filter: unknown): PlatformFilter {
  const parsed = platformFilters[resource].safeParse(filter);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ message, path }) => ({
    message,
    place: { field: path.join('.') },
  }));
  throw new AppError('invalid_input', { issues });
}
