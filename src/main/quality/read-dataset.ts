import { AppError, isAppError } from '../../shared/errors/errors.ts';
import { parseJson, isObject, type JsonObject } from '../../shared/json.ts';
import type { QualityReport } from '../../shared/quality/report.ts';
import type { Thread } from '../../shared/threads.ts';
import { createPageLimit } from '../export/page-limit.ts';
import { copyPages, type PageSource, type WritePage } from '../export/read-pages.ts';
import { createKeyReader } from '../export/records/scan.ts';
import type { WindowFallback } from '../export/writing/spec.ts';
import type { EngineContext } from '../jobs/engine.ts';
import { firstRun, firstWindow } from '../paging/cursor.ts';
import { fieldsToRequest } from '../paging/request.ts';
import { surveyWindow } from '../paging/rule.ts';
import type { QualityPlan } from './plan.ts';
import type { QualityCalls } from './quality-worker.ts';

interface DatasetRead {
  readonly plan: QualityPlan;
  readonly context: Pick<EngineContext, 'services' | 'report'>;
  readonly thread: Pick<Thread<QualityCalls>, 'calls'>;
  readonly signal: AbortSignal;
}

/** @throws AppError `internal` when it isn't an object */
function parsePlanObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new AppError('internal', { problem: 'the plan of the job is damaged' });
  return value;
}

/**
 * Checks all matching records, read by the pages of an export.
 * @throws AppError of the services; `cancelled`
 */
export async function readDataset(read: DatasetRead): Promise<QualityReport> {
  const checked = await readPages(read, read.plan.windows);
  if (!('fallbackReason' in checked)) return checked;
  const second = await readPages(read, null);
  if ('fallbackReason' in second) throw new AppError('internal', { problem: second.fallbackReason });
  return second;
}

async function readPages(
  { plan, context, thread, signal }: DatasetRead,
  window: QualityPlan['windows'],
): Promise<QualityReport | WindowFallback> {
  const { address, spec, concurrency } = plan;
  const { calls } = thread;
  const { data } = context.services;
  const query = parsePlanObject(plan.query);
  const { promise: total, resolve: setTotal } = Promise.withResolvers<number>();
  const onTotal = (count: number | null): void => {
    if (count === null) return;
    context.report({ totalRows: count });
    setTotal(count);
  };
  const find = (sort: JsonObject, fields: readonly string[], includeCount: boolean) =>
    data.find(address, { query, sort, fields, limit: 1, includeCount }, { signal });

  async function survey() {
    if (window === null) {
      data.count(address, query, { signal }).then(onTotal, () => undefined);
      return { rule: null, reason: '' };
    }
    const keyIn = createKeyReader(window.field);
    const fields = fieldsToRequest(['_id'], window.field);
    return surveyWindow(window, async (sort) => {
      const first = await find(sort, fields, sort[window.field] === -1).catch((error: unknown) => {
        // A count can exceed the timeout; the record alone is found quickly.
        if (isAppError(error, 'timed_out')) return find(sort, fields, false);
        throw error;
      });
      onTotal(first.total);
      return keyIn(first.bytes);
    });
  }

  async function open(): Promise<WritePage | WindowFallback> {
    const surveyed = await survey();
    if (window && !surveyed.rule) return { fallbackReason: 'reason' in surveyed ? surveyed.reason : '' };
    await calls.open({ spec, rule: surveyed.rule });
    return (at, content, origin) =>
      calls.add(
        { at, content, origin },
        { transfer: content.buffer.byteLength === content.byteLength ? [content.buffer] : [] },
      );
  }

  const { index, wellFields, logField } = spec;
  const ownFields = [...wellFields, ...[index?.field ?? [], logField ?? []].flat()];
  const writer = open();
  // Awaited with the first page; without a listener an earlier rejection would be unhandled.
  writer.catch(() => undefined);
  const source: PageSource = {
    find: async (request, { signal: pageSignal, isValidated = false }) =>
      isValidated
        ? (await data.find(address, request, { signal: pageSignal })).bytes
        : data.findUnchecked(address, request, { signal: pageSignal }),
    signal,
    window,
    writer,
    pageQuery: {
      query,
      sort: parsePlanObject(plan.sort),
      fields: spec.fields.length === 0 ? [] : [...new Set([...spec.fields, ...ownFields])],
    },
    limit: createPageLimit(),
    total,
    rowsBefore: 0,
    concurrency,
  };
  for await (const page of copyPages(source, window ? firstWindow : firstRun('all', 0))) {
    if ('fallbackReason' in page) return page;
    context.report({ rows: page.checkpoint.rows });
    if (signal.aborted) throw new AppError('cancelled', {});
  }
  return calls.report();
}
