import { AppError, type ErrorCode, isAppError } from '../../../shared/errors/errors.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { isObject, parseJson, type JsonObject } from '../../../shared/json.ts';
import { firstRun, firstWindow } from '../paging/cursor.ts';
import { fieldsToRequest } from '../paging/request.ts';
import { surveyWindow, type Survey, type WindowField, type WindowRule } from '../paging/rule.ts';
import type { DataService, RecordsResponse } from '../wire/services/services.ts';
import { createPageLimit } from './page-limit.ts';
import { copyPages, type PageSource, type WritePage } from './read-pages.ts';
import { createKeyReader } from '../records/scan.ts';
import type { Checkpoint, WindowFallback, WrittenPage } from '../write/spec.ts';

/** The records of a dataset that a job reads, by its plan. */
export interface RecordsRequest {
  readonly address: DatasetAddress;
  /** Strict JSON. */
  readonly query: string;
  readonly sort: string;
  /** Field paths; empty: all. */
  readonly fields: readonly string[];
  /** The planned key field of pages; null: pages use `skip`. */
  readonly windows: WindowField | null;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
}

export interface ReadOptions {
  readonly data: DataService;
  readonly request: RecordsRequest;
  readonly signal: AbortSignal;
  /** What an earlier run of the job knew; absent: nothing. */
  readonly earlier?: {
    readonly survey: Survey | undefined;
    /** The number of matching records. */
    readonly counted: number | null;
    readonly checkpoint: Checkpoint | null;
  };
  /** Opens what the pages are written to: at the start, and again after a fallback. */
  readonly open: (rule: WindowRule | null) => Promise<WritePage>;
  /** Called with the survey, before `open`. */
  readonly onSurvey?: (survey: Survey) => Promise<void>;
  /** Called with the number of matching records when it is known. */
  readonly onCount: (count: number) => Promise<void> | void;
  /** Called when all counted records have been requested. */
  readonly onLastRequest?: () => void;
  /** Whether reading ends when all counted records have come, because the result is compared with the service later. */
  readonly endsAtCount?: boolean;
}

/**
 * Parses strict JSON of a plan.
 * @throws AppError `internal` when it isn't an object
 */
export function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new AppError('internal', { problem: 'the plan of the job is damaged' });
  return value;
}

/** The buffer of a page, which moves to a thread; a shared buffer is copied. */
export const transferable = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer] : [];

const noWindows: Survey = { rule: null, why: null };

/**
 * Reads all matching records in pages, and writes them in order. The survey, the count, and the first page are requested
 * together. After a `WindowFallback` everything is read again, by `skip`.
 * @throws AppError of the services and of the writer; `cancelled`
 */
export async function* readRecords(options: ReadOptions): AsyncGenerator<WrittenPage | WindowFallback, void> {
  const { request, earlier } = options;
  const total = Promise.withResolvers<number>();
  let counted = earlier?.counted ?? null;
  async function onCount(count: number): Promise<void> {
    counted = count;
    total.resolve(count);
    await options.onCount(count);
  }
  if (counted !== null) total.resolve(counted);
  const { windows } = request;
  // Pages by `skip` need no survey.
  const earlierSurvey = windows ? earlier?.survey : noWindows;
  const survey =
    windows && !earlierSurvey
      ? surveyDataset(options, windows, onCount)
      : Promise.resolve(earlierSurvey ?? noWindows);
  survey
    .then(async () => {
      if (counted === null) await onCount(await countRecords(options));
    })
    .catch(() => undefined);
  const window = earlierSurvey ? earlierSurvey.rule : windows;
  const from = earlier?.checkpoint ?? null;
  for await (const page of readBy(options, { window, survey, from, total: total.promise })) {
    yield page;
    if (!('fallbackReason' in page)) continue;
    const bySkip = { window: null, survey: Promise.resolve(noWindows), from: null };
    for await (const again of readBy(options, { ...bySkip, total: total.promise })) {
      if ('fallbackReason' in again) throw new AppError('internal', { problem: again.fallbackReason });
      yield again;
    }
  }
}

interface Attempt {
  readonly window: WindowField | null;
  readonly survey: Promise<Survey>;
  readonly from: Checkpoint | null;
  readonly total: Promise<number>;
}

async function* readBy(
  { data, request, signal, open, onLastRequest, endsAtCount = false }: ReadOptions,
  { window, survey, from, total }: Attempt,
): AsyncGenerator<WrittenPage | WindowFallback, void> {
  const { address, query, sort, fields, concurrency } = request;
  const writer = survey.then(async ({ rule, why }): Promise<WritePage | WindowFallback> => {
    if (window && !rule) return { fallbackReason: why ?? 'no field can divide the records into ranges' };
    return open(rule);
  });
  // Awaited with the first page; without a listener an earlier rejection would be unhandled.
  writer.catch(() => undefined);
  const source: PageSource = {
    async find(find, { signal: findSignal, isValidated = false }) {
      const callOptions = { signal: findSignal };
      if (!isValidated) return data.findUnchecked(address, find, callOptions);
      return (await data.find(address, find, callOptions)).bytes;
    },
    signal,
    window,
    writer,
    pageQuery: { query: parseObject(query), sort: parseObject(sort), fields },
    limit: createPageLimit(),
    total,
    rowsBefore: from?.rows ?? 0,
    concurrency,
    endsAtCount,
    ...(onLastRequest ? { onLastRequest } : {}),
  };
  for await (const page of copyPages(source, from?.cursor ?? (window ? firstWindow : firstRun('all', 0)))) {
    yield page;
    if (signal.aborted) throw new AppError('cancelled', {});
  }
  // A read that is resumed at its end has no page that waits for the writer.
  await writer;
}

/** Errors of a read with a count after which a read without it can succeed. */
const noCount: readonly ErrorCode[] = ['timed_out', 'refused', 'forbidden', 'not_found'];

/** Reads both ends of the dataset: whether windows are possible, and their upper bound. */
async function surveyDataset(
  { data, request: { address, ...request }, signal, onSurvey }: ReadOptions,
  window: WindowField,
  onCount: (count: number) => Promise<void>,
): Promise<Survey> {
  const keyIn = createKeyReader(window.field);
  const query = parseObject(request.query);
  const fields = fieldsToRequest(['_id'], window.field);
  const findFirst = (sort: JsonObject, includeCount: boolean): Promise<RecordsResponse> =>
    data.find(address, { query, sort, fields, limit: 1, includeCount }, { signal });
  const survey = await surveyWindow(window, async (sort) => {
    // Every survey reads the highest record, so its request includes the count.
    const includeCount = sort[window.field] === -1;
    const first = await findFirst(sort, includeCount).catch((error: unknown) => {
      // A count can exceed the timeout or be forbidden; the record alone can still be read.
      if (includeCount && noCount.some((code) => isAppError(error, code))) return findFirst(sort, false);
      throw error;
    });
    if (first.total !== null) await onCount(first.total);
    return keyIn(first.bytes);
  });
  await onSurvey?.(survey);
  return survey;
}

const countRecords = ({ data, request, signal }: ReadOptions): Promise<number> =>
  data.count(request.address, parseObject(request.query), { signal });
