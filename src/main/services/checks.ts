import { invalidInput, AppError } from '../../shared/errors/errors.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import {
  platformFilters,
  type PlatformFilter,
  type PlatformResource,
} from '../../shared/wells/platform-filters.ts';

/** The specification's limits of a read (section 8). */
const mostRecords = 10_000;

/** @throws AppError `invalid_input` unless limit is a whole number from 1 to 10,000 */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRecords) {
    throw invalidInput(`The limit must be a whole number from 1 to ${mostRecords}.`, { field: 'limit' });
  }
}

/** @throws AppError `invalid_input` unless skip is a whole number of 0 or more */
export function checkSkip(skip: number | undefined): void {
  if (skip !== undefined && (!Number.isSafeInteger(skip) || skip < 0)) {
    throw invalidInput('Skip must be a whole number of 0 or more.', { field: 'skip' });
  }
}

/** @throws AppError `invalid_input` unless each direction is 1 or -1 */
export function checkSort(sort: JsonObject, field = 'sort'): void {
  for (const [path, direction] of Object.entries(sort)) {
    if (direction !== 1 && direction !== -1) {
      throw invalidInput(`The direction of “${path}” must be 1 (ascending) or -1 (descending).`, { field });
    }
  }
}

/** @throws AppError `invalid_input` for a path that a comma-separated list can't hold */
export function checkFields(fields: readonly string[] | undefined): void {
  const bad = fields?.find((field) => field.trim() === '' || field.includes(','));
  if (bad !== undefined) throw invalidInput(`“${bad}” isn't a field path.`, { field: 'fields' });
}

const writing = ['$merge', '$out'];

/**
 * Stages as an ordinary read may send them (specification, section 4.1): at least one, each an object with
 * one operator, none that writes.
 * @throws AppError `invalid_input` that names the stage, counted from 1
 */
export function checkStages(stages: readonly unknown[]): asserts stages is readonly JsonObject[] {
  const field = 'stages';
  if (stages.length === 0) throw invalidInput('A pipeline needs at least one stage.', { field });
  for (const [index, stage] of stages.entries()) {
    const nth = `Stage ${index + 1}`;
    if (!isObject(stage)) throw invalidInput(`${nth} must be an object such as { $match: { } }.`, { field });
    const operators = Object.keys(stage);
    const write = operators.find((name) => writing.includes(name));
    if (write)
      throw invalidInput(`${nth} is ${write}, which writes data. Only read stages are allowed.`, { field });
    const [operator] = operators;
    if (operators.length !== 1 || !operator?.startsWith('$')) {
      throw invalidInput(`${nth} must have exactly one operator, such as $match.`, { field });
    }
    if (operator === '$limit') checkStageLimit(stage[operator], nth);
  }
}

function checkStageLimit(limit: unknown, nth: string): void {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return;
  throw invalidInput(`${nth}: $limit must be a whole number of 1 or more.`, { field: 'stages' });
}

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
