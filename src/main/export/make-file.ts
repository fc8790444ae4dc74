import { Worker } from 'node:worker_threads';
import type { WholeQuestion } from '../../shared/export/export.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { isObject, parseJson, type JsonObject } from '../../shared/json.ts';
import { nodePort, openThread, type Thread } from '../../shared/threads.ts';
import type { EngineContext, OpenJob } from '../jobs/engine.ts';
import { firstRun, firstWindow } from '../paging/cursor.ts';
import { fieldsFor } from '../paging/request.ts';
import { type WindowRule, survey } from '../paging/rule.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import { workerUrl } from '../workers.ts';
import type { ExportCalls } from './export-worker.ts';
import { createPageLimit } from './page-limit.ts';
import type { ExportEntry, ExportPlan, ExportProgress } from './plan.ts';
import { copyPages, type Find, type PageSource, type WritePage } from './read-pages.ts';
import { createKeyReader } from './records/scan.ts';
import { lastUsable } from './places.ts';
import type { Checkpoint, Finished, GiveUp, WriterSpec } from './writing/spec.ts';

export interface FileMaking {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly report: EngineContext['report'];
  readonly find: Find;
  /** Requests the first record by a sort, and where `includeCount` says so how many match. */
  readonly findFirst: (
    find: Pick<FindArguments, 'query' | 'sort' | 'fields' | 'includeCount'>,
  ) => Promise<Pick<RecordsAnswer, 'bytes' | 'total'>>;
  /** Asks the plan's question whose answer comes whole, if it has one. */
  readonly findWhole: (question: WholeQuestion) => Promise<RecordsAnswer['bytes']>;
  readonly counts: ExportCounts;
  readonly signal: AbortSignal;
  /** Makes the incomplete file, unless it is there. @returns its path */
  readonly partial: () => Promise<string>;
}

export interface MadeFile {
  readonly file: Finished;
  readonly rows: number;
  readonly rule: WindowRule | null;
  /** Why it was read by `skip`, where windows were hoped for. */
  readonly why: string | null;
}

/** How many records match. */
export interface ExportCounts {
  /** By a count at the start; pending until it is known, or for good where the service can't count. */
  readonly atStart: Promise<number>;
  setAtStart(count: number): Promise<void>;
  /** Counts beside the reading, where it is not known; a service that can't count stops nothing. */
  countAtStart(): void;
  countAtEnd(): void;
}

/** A text that the plan keeps as strict JSON. */
export function objectIn(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new AppError('internal', { problem: 'the plan of the export is damaged' });
  return value;
}

// Pages are garbage as soon as they are written: more room for young objects than this costs memory and saves no time.
const youngMb = 12;

/** Reads all records into the incomplete file, from where the journal ends. @throws AppError */
export async function makeFile(making: FileMaking, before: ExportProgress): Promise<MadeFile> {
  const resourceLimits = { maxYoungGenerationSizeMb: youngMb };
  const thread = openThread<ExportCalls>(() => nodePort(new Worker(workerUrl('export'), { resourceLimits })));
  // It takes some time to be ready, in which the first page travels.
  thread.start();
  try {
    const { answerTo } = making.job.plan;
    if (answerTo) return await writeWhole(making, thread, answerTo);
    const made = await readAll(making, thread, before);
    if (!('giveUp' in made)) return made;
    await making.job.journal.append({ kind: 'gaveUp', why: made.giveUp }, { flush: true });
    const surveyed = { rule: null, why: made.giveUp };
    const again = await readAll(making, thread, { ...before, surveyed, checkpoints: [] });
    if ('giveUp' in again) throw new AppError('internal', { problem: again.giveUp });
    return again;
  } finally {
    thread.close();
  }
}

/** The memory of a page, which moves to the thread; small ones share theirs with others and are copied. */
const movable = ({ buffer, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer[] =>
  buffer.byteLength === byteLength ? [buffer] : [];

/** Reads and writes page after page, from the last usable checkpoint on. The survey and the first page travel together. */
async function readAll(
  making: FileMaking,
  { calls }: Thread<ExportCalls>,
  before: ExportProgress,
): Promise<MadeFile | GiveUp> {
  const { job, find, signal, counts } = making;
  const { plan, folder } = job;
  const survey = before.surveyed ? Promise.resolve(before.surveyed) : lookAround(making);
  survey.then(counts.countAtStart, () => undefined);
  const partial = making.partial();
  // It is awaited when the survey has come; if that fails first, this must not count as unhandled.
  partial.catch(() => undefined);
  const from = before.surveyed ? await lastUsable(before, plan, { folder, partial: await partial }) : null;
  if (!from && before.checkpoints.length > 0) await job.journal.append({ kind: 'anew' }, { flush: true });
  const window = before.surveyed ? before.surveyed.rule : plan.windows;
  async function open(): Promise<WritePage | GiveUp> {
    const { rule, why } = await survey;
    if (window && !rule) return { giveUp: why ?? 'there is no field to cut windows by' };
    await calls.open({ spec: specFor(plan, folder, await partial, rule), from });
    return (at, content, origin) => calls.write({ at, content, origin }, { transfer: movable(content) });
  }
  const writer = open();
  // It is awaited with the first page; if that fails first, this must not count as unhandled.
  writer.catch(() => undefined);
  try {
    const source: PageSource = {
      find,
      signal,
      window,
      writer,
      wanted: { query: objectIn(plan.query), sort: objectIn(plan.sort), fields: plan.fields },
      limit: createPageLimit(),
      total: counts.atStart,
      rowsBefore: from?.rows ?? 0,
      concurrency: plan.concurrency,
      onLastRequest: counts.countAtEnd,
    };
    const copied = await copyAll(making, source, from);
    if ('giveUp' in copied) return copied;
    return { file: await finish(making, calls), rows: copied.rows, ...(await survey) };
  } finally {
    await writer.then(() => calls.close()).catch(() => undefined);
  }
}

/** Looks at the ends of the dataset: can windows be cut, and up to where? */
async function lookAround({
  job,
  findFirst,
  counts,
}: FileMaking): Promise<{ rule: WindowRule | null; why: string | null }> {
  const { windows } = job.plan;
  if (windows === null) return { rule: null, why: null };
  const keyIn = createKeyReader(windows.field);
  const query = objectIn(job.plan.query);
  const fields = fieldsFor(['_id'], windows.field);
  const found = await survey(windows, async (sort) => {
    // The highest record, which every survey asks for, brings the count along.
    const first = await findFirst({ query, sort, fields, includeCount: sort[windows.field] === -1 });
    if (first.total !== null) await counts.setAtStart(first.total);
    return keyIn(first.bytes);
  });
  const surveyed = { rule: found.rule, why: found.rule === null ? found.why : null };
  await job.journal.append({ kind: 'surveyed', ...surveyed });
  return surveyed;
}

function specFor(plan: ExportPlan, folder: string, partial: string, rule: WindowRule | null): WriterSpec {
  const { format, csv, fields, timeZone, fileName } = plan;
  const without = fieldsFor(fields, rule?.field ?? null).filter((field) => !fields.includes(field));
  return { folder, partial, name: fileName, format, csv, fields, without, timeZone, rule };
}

/** Copies page after page, each noted in the journal when it is written. */
async function copyAll(
  { job, signal, report }: FileMaking,
  source: PageSource,
  from: Checkpoint | null,
): Promise<{ readonly rows: number } | GiveUp> {
  let rows = source.rowsBefore;
  const first = from?.cursor ?? (source.window ? firstWindow : firstRun('all', 0));
  for await (const page of copyPages(source, first)) {
    if ('giveUp' in page) return page;
    const { checkpoint, durable, added } = page;
    if (added > 0) await job.journal.append({ kind: 'page', checkpoint }, { flush: durable });
    ({ rows } = checkpoint);
    report({ rows, bytes: Math.max(checkpoint.marks.partial, checkpoint.marks.spool) });
    if (signal.aborted) throw new AppError('cancelled', {});
  }
  return { rows };
}

/** Writes an answer that comes whole; what an earlier run wrote of it is written anew. */
async function writeWhole(
  making: FileMaking,
  { calls }: Thread<ExportCalls>,
  question: WholeQuestion,
): Promise<MadeFile> {
  const { plan, folder } = making.job;
  await calls.open({ spec: specFor(plan, folder, await making.partial(), null), from: null });
  try {
    const content = await making.findWhole(question);
    const origin = { overlaps: false, endsBelow: 0 };
    const page = await calls.write({ at: { at: 'whole' }, content, origin }, { transfer: movable(content) });
    if (!('checkpoint' in page))
      throw new AppError('internal', { problem: 'a whole answer was not written' });
    const { rows } = page.checkpoint;
    making.report({ rows, totalRows: rows });
    return { file: await finish(making, calls), rows, rule: null, why: null };
  } finally {
    await calls.close().catch(() => undefined);
  }
}

async function finish(
  { signal, report }: FileMaking,
  calls: Thread<ExportCalls>['calls'],
): Promise<Finished> {
  for (;;) {
    if (signal.aborted) throw new AppError('cancelled', {});
    const step = await calls.finishMore();
    if (!('sha256' in step)) continue;
    report({ bytes: step.bytes });
    return step;
  }
}
