import { maxResponseBytes } from '../http/limits.ts';
import { jsonOf, UnreadableResponse, type HttpResponse } from '../http/response.ts';
import type { Http } from '../http/http.ts';
import { get, parametersOf, type HttpRequest } from '../http/request.ts';
import { type JsonValue, isObject, isWithinDepth } from '../../../../shared/json.ts';
import { readCompanyListing, readDefinition, readDefinitions } from './definitions.ts';
import { definitionPath, describeDataset, recordsPath } from './paths.ts';
import { recordReads } from './records.ts';
import type { CallOptions, DataService, InsertOutcome } from './services.ts';
import { type ReadItems, maxDepth } from './tolerant.ts';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { AppError, invalidInput, isAppError } from '../../../../shared/errors/errors.ts';

/** Limit for the response that has the service's time, in milliseconds: the local clock may do. */
const clockTimeoutMs = 10_000;

/** The data service over a client: one function for each endpoint (specification, section 4.1). */
export function dataService(http: Http): DataService {
  async function readList<T>(
    what: string,
    request: HttpRequest,
    decode: (value: JsonValue) => ReadItems<T>,
    options: CallOptions | undefined,
  ): Promise<T[]> {
    const readOptions = { ...options, maxBytes: maxResponseBytes.list, what };
    const { items, skipped } = await http.read(request, (response) => decode(jsonOf(response)), readOptions);
    http.reportSkipped(what, skipped);
    return items;
  }

  return {
    ...recordReads(http),
    now: () => http.serviceNow(),
    async askNow(address, options) {
      if (!http.hasServiceTime)
        await http
          .read(get(definitionPath(address)), () => null, {
            timeoutMs: clockTimeoutMs,
            ...options,
            maxTries: 1,
          })
          .catch((error: unknown) => {
            if (isAppError(error, 'cancelled')) throw error;
          });
      return http.serviceNow();
    },
    pageSizes: new Map(),
    insert: (address, body, rows, options) => insertRecords(http, address, body, rows, options),
    async datasets({ search, plottable, temporary }, options) {
      const request = get('/api/v1/dataset/', parametersOf({ search, plottable, temporary }));
      return readList('the list of datasets', request, readDefinitions, options);
    },
    async companyDatasets(options) {
      const request = get('/api/v1/dataset/company/');
      return readList('the list of companies’ datasets', request, readCompanyListing, options);
    },
    async dataset(address, options) {
      return http.read(get(definitionPath(address)), (response) => readDefinition(jsonOf(response)), {
        ...options,
        maxBytes: maxResponseBytes.list,
        what: describeDataset(address),
      });
    },
  };
}

/** Maximum number of records per insert (specification, section 8). */
const maxInsertRows = 1000;

/**
 * Sends one batch exactly once.
 * @param body JSON text of an array of records
 * @param rows number of records, 1 to 1,000
 * @returns what is certain about the batch
 * @throws AppError `cancelled` before anything was sent, `invalid_input` for another number of rows or an
 *   invalid address
 */
export async function insertRecords(
  http: Http,
  address: DatasetAddress,
  body: Uint8Array,
  rows: number,
  options: CallOptions = {},
): Promise<InsertOutcome> {
  if (!Number.isInteger(rows) || rows < 1 || rows > maxInsertRows) {
    throw invalidInput(`An insert takes 1 to ${maxInsertRows} records.`, { field: 'records' });
  }
  const request = { method: 'POST', path: recordsPath(address), body } as const;
  const outcome = await http.send(request, { ...options, what: describeDataset(address) });
  if (outcome.kind === 'not_sent') return outcome;
  if (outcome.kind === 'lost') return { kind: 'unknown', status: null, error: outcome.error };
  return outcome.error
    ? outcomeOfRefusal(outcome.response.status, outcome.retryAfterMs, outcome.error)
    : outcomeOfResponse(outcome.response);
}

function outcomeOfRefusal(status: number, retryAfterMs: number | null, error: AppError): InsertOutcome {
  if (status === 401 || status === 413 || status === 429)
    return { kind: 'not_stored', status, retryAfterMs, error };
  return { kind: 'unknown', status, error };
}

/** Only a 200 promises the three fields; with any other body the outcome is unknown. */
function outcomeOfResponse(response: HttpResponse): InsertOutcome {
  try {
    const { insertedIds, failedCount, messages } = readInsert(jsonOf(response));
    return { kind: 'answered', insertedIds, failedCount, messages };
  } catch (error) {
    const problem = error instanceof UnreadableResponse ? error.problem : 'it can’t be read';
    return {
      kind: 'unknown',
      status: response.status,
      error: new AppError('bad_answer', { service: 'data', problem }),
    };
  }
}

/** @throws UnreadableResponse when it isn’t the response to an insert */
export function readInsert(value: JsonValue): {
  insertedIds: string[];
  failedCount: number;
  messages: JsonValue[];
} {
  if (!isObject(value)) throw new UnreadableResponse('it isn’t a response to an insert');
  const ids = value['inserted_ids'];
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) {
    throw new UnreadableResponse('it doesn’t list the inserted records');
  }
  const failed = value['failed_count'] ?? 0;
  const failedCount = typeof failed === 'string' && /^\d+$/.test(failed) ? Number(failed) : failed;
  if (typeof failedCount !== 'number' || !Number.isSafeInteger(failedCount) || failedCount < 0) {
    throw new UnreadableResponse('it doesn’t report the number of failed records');
  }
  const messages = value['messages'];
  return {
    insertedIds: ids,
    failedCount,
    messages: (Array.isArray(messages) ? messages : messages ? [messages] : []).map((message) =>
      isWithinDepth(message, maxDepth) ? message : 'This message is nested too deep.',
    ),
  };
}
