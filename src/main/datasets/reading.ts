import { datasetShapes, type DatasetAddress, type DatasetType } from '../../shared/datasets/datasets.ts';
import { isAppError, AppError } from '../../shared/errors/errors.ts';
import { parseJson, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { CallOptions, DataService } from '../services/services.ts';

export type End = 'first' | 'last';

/**
 * Reads a few records from one end of a dataset, by its index field or else by `_id`.
 * @throws AppError as the service answers
 */
export type Reading = (
  query: JsonObject,
  limit: number,
  end: End,
  options: CallOptions,
  fields?: readonly string[],
) => Promise<JsonValue[]>;

/** A service may refuse to sort by what has no index: then the next order has to do, at last none. */
function sortsOf(type: DatasetType | null, end: End): JsonObject[] {
  const direction = end === 'first' ? 1 : -1;
  const indexField = type === null ? null : datasetShapes[type].indexField;
  return [...(indexField === null ? [] : [{ [indexField]: direction }]), { _id: direction }, {}];
}

/** Reads records of one dataset. */
export function readingOf(
  data: Pick<DataService, 'find'>,
  address: DatasetAddress,
  type: DatasetType | null,
): Reading {
  return async (query, limit, end, options, fields) => {
    const sorts = sortsOf(type, end);
    for (const [at, sort] of sorts.entries()) {
      try {
        const find = { query, sort, limit, ...(fields ? { fields } : {}) };
        const { text } = await data.find(address, find, options);
        const records = parseJson(text);
        return Array.isArray(records) ? records : [];
      } catch (error) {
        if (!isAppError(error, 'refused') || at === sorts.length - 1) throw error;
      }
    }
    return [];
  };
}

// These befall every request: there is nothing to show beside them.
const ends = ['cancelled', 'not_authenticated', 'unreachable'] as const;

/** An error that is said beside the rest of an answer. @throws whatever ends the whole answer */
export function asProblem(error: unknown): AppError {
  if (!(error instanceof AppError) || ends.some((code) => error.is(code))) throw error;
  return error;
}
