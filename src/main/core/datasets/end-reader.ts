import { type DatasetAddress, type DatasetType, indexFieldOf } from '../../../shared/datasets/datasets.ts';
import { isAppError, AppError } from '../../../shared/errors/errors.ts';
import { isWithinDepth, parseJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { CallOptions, DataService } from '../wire/services/services.ts';

/** Records that are nested deeper are no examples. The services' database allows 100. */
const maxRecordDepth = 100;

export type End = 'first' | 'last';

/**
 * Reads records from one end of a dataset, by its index field or `_id`.
 * @throws AppError of the data service
 */
export type EndReader = (
  query: JsonObject,
  limit: number,
  end: End,
  options: CallOptions,
  fields?: readonly string[],
) => Promise<JsonValue[]>;

/** A service may refuse to sort by what has no index: then the next order has to do, at last none. */
function sortsOf(type: DatasetType | null, end: End): JsonObject[] {
  const direction = end === 'first' ? 1 : -1;
  const indexField = indexFieldOf(type);
  return [...(indexField === null ? [] : [{ [indexField]: direction }]), { _id: direction }, {}];
}

/** Reads records of one dataset. */
export function createEndReader(
  data: Pick<DataService, 'find'>,
  address: DatasetAddress,
  type: DatasetType | null,
): EndReader {
  return async (query, limit, end, options, fields) => {
    const sorts = sortsOf(type, end);
    for (const [at, sort] of sorts.entries()) {
      try {
        const find = { query, sort, limit, ...(fields ? { fields } : {}) };
        const { text } = await data.find(address, find, options);
        const records = parseJson(text);
        return Array.isArray(records)
          ? records.filter((record) => isWithinDepth(record, maxRecordDepth))
          : [];
      } catch (error) {
        if (!isAppError(error, 'refused') || at === sorts.length - 1) throw error;
      }
    }
    return [];
  };
}

// Errors that affect every request, so there is nothing else to show.
const ends = ['cancelled', 'not_authenticated', 'unreachable'] as const;

/**
 * Converts an error to a problem that is shown beside other results.
 * @throws AppError that affects every request
 */
export function toProblem(error: unknown): AppError {
  if (!(error instanceof AppError) || ends.some((code) => error.is(code))) throw error;
  return error;
}
