import { AppError } from '../../shared/errors/errors.ts';
import { parseJson, isObject, type JsonObject } from '../../shared/json.ts';
import type { WholeQuestion } from '../../shared/export/export.ts';
import type { EngineContext, OpenJob } from '../jobs/engine.ts';
import type { FindArguments, RecordsAnswer } from '../services/services.ts';
import { createPageLimit } from './page-limit.ts';
import { fetchPage, type Fetched, type Find, type PageRequests } from './fetch-page.ts';
import { copyPages, type PageSource } from './pages.ts';
import { firstRun, firstWindow, type Cursor } from '../paging/cursor.ts';
import { fieldsFor, type Wanted } from '../paging/request.ts';
import type { WindowRule } from '../paging/rule.ts';
import { survey } from '../paging/survey.ts';
import type { ExportEntry, ExportPlan } from './plan.ts';
import type { SoFar } from './progress-so-far.ts';
import { createKeyReader } from './records/scan.ts';
import { lastUsable } from './recover.ts';
import { startWriting, type WritingThread, type WriterThread } from './writing/thread.ts';
import type { Checkpoint, Finished, WriterSpec } from './writing/spec.ts';

/** Everything that making the file needs. */
export interface Making {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly report: EngineContext['report'];
  readonly find: Find;
  /** Asks for the first record by a sort, and where `includeCount` says so how many match. */
  readonly findFirst: (
    find: Pick<FindArguments, 'query' | 'sort' | 'fields' | 'includeCount'>,
  ) => Promise<Pick<RecordsAnswer, 'bytes' | 'total'>>;
  readonly total: TotalCount;
  /** Asks the plan's question whose answer comes whole, if it has one. */
  readonly askWhole: (asked: WholeQuestion) => Promise<RecordsAnswer['bytes']>;
  readonly signal: AbortSignal;
  readonly partial: string;
}

export interface Made {
  readonly file: Finished;
  readonly rows: number;
  readonly rule: WindowRule | null;
  /** Why it was read by `skip`, where windows were hoped for. */
  readonly why: string | null;
}

/** How many records match, by a count at the start. */
export interface TotalCount {
  /** Null: not known yet, or the service can't count. */
  readonly current: number | null;
  set(count: number): Promise<void>;
  /** Counts beside the reading, where it is not known; a service that can't count stops nothing. */
  countBeside(): void;
}

/** A text that the plan keeps as strict JSON. */
export function objectIn(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new AppError('internal', { problem: 'the plan of the export is damaged' });
  return value;
}

/** Reads all records into the incomplete file, from where the journal ends. @throws AppError */
export async function makeFile(making: Making, before: SoFar): Promise<Made> {
  const thread = startWriting();
  try {
    return await makeIn({ ...making, thread }, before);
  } finally {
    await thread.end();
  }
}

interface MakingIn extends Making {
  readonly thread: WritingThread;
}

async function makeIn(making: MakingIn, before: SoFar): Promise<Made> {
  const { job } = making;
  if (job.plan.answerTo) return { ...(await writeAnswer(making, job.plan.answerTo)), rule: null, why: null };
  const sent = before.surveyed ? undefined : sendFirst(making);
  const known = before.surveyed ?? (await lookAround(making));
  making.total.countBeside();
  const from = await lastUsable(before, job.plan, { folder: job.folder, partial: making.partial });
  if (!from && before.checkpoints.length > 0) await job.journal.append({ kind: 'anew' }, { flush: true });
  const made = await readAll(making, { rule: known.rule, from, sent });
  if (!('giveUp' in made)) return { ...made, ...known };
  await job.journal.append({ kind: 'gaveUp', why: made.giveUp }, { flush: true });
  const again = await readAll(making, { rule: null, from: null });
  if ('giveUp' in again) throw new AppError('internal', { problem: again.giveUp });
  return { ...again, rule: null, why: made.giveUp };
}

function requestsOf(
  { job, find, total, signal }: Making,
  window: PageRequests['window'],
  rowsBefore = 0,
): PageRequests {
  const { plan } = job;
  const wanted: Wanted = { query: objectIn(plan.query), sort: objectIn(plan.sort), fields: plan.fields };
  return { find, total: () => total.current, signal, wanted, window, rowsBefore, limit: createPageLimit() };
}

/** The first page, asked for beside the survey: what that finds out is only needed to read the page. */
interface SentFirst {
  readonly requests: PageRequests;
  readonly page: Promise<Fetched>;
}

function sendFirst(making: Making): SentFirst | undefined {
  const { windows } = making.job.plan;
  if (windows === null) return undefined;
  const requests = requestsOf(making, windows);
  const page = fetchPage(requests, firstWindow, { asked: requests.limit.current });
  // It is looked at when the writer is open; until then, or if it is not wanted, a failure must not count as unhandled.
  page.catch(() => undefined);
  return { requests, page };
}

async function lookAround({
  job,
  findFirst,
  total,
}: Making): Promise<{ rule: WindowRule | null; why: string | null }> {
  const { windows } = job.plan;
  if (windows === null) return { rule: null, why: null };
  const keyIn = createKeyReader(windows.field);
  const query = objectIn(job.plan.query);
  const fields = fieldsFor(['_id'], windows.field);
  const found = await survey(windows, async (sort) => {
    // The highest record, which every survey asks for, brings the count along.
    const includeCount = total.current === null && sort[windows.field] === -1;
    const first = await findFirst({ query, sort, fields, includeCount });
    if (first.total !== null) await total.set(first.total);
    return keyIn(first.bytes);
  });
  const known = { rule: found.rule, why: found.rule === null ? found.why : null };
  await job.journal.append({ kind: 'surveyed', ...known });
  return known;
}

type Outcome = { readonly file: Finished; readonly rows: number } | { readonly giveUp: string };

interface Reading {
  readonly rule: WindowRule | null;
  readonly from: Checkpoint | null;
  readonly sent?: SentFirst | undefined;
}

async function readAll(making: MakingIn, reading: Reading): Promise<Outcome> {
  const writer = await making.thread.open(specFor(making, reading.rule), reading.from);
  try {
    const copied = await copyAll(making, writer, reading);
    if ('giveUp' in copied) return copied;
    return { file: await finish(making, writer), rows: copied.rows };
  } finally {
    await writer.close();
  }
}

/** Writes an answer that comes whole; what an earlier run wrote of it is written anew. */
async function writeAnswer(making: MakingIn, asked: WholeQuestion): Promise<Pick<Made, 'file' | 'rows'>> {
  const writer = await making.thread.open(specFor(making, null), null);
  try {
    const origin = { overlaps: false, endsBelow: 0 };
    const page = await writer.write({ at: 'whole' }, await making.askWhole(asked), origin);
    if (!('checkpoint' in page))
      throw new AppError('internal', { problem: 'a whole answer was not written' });
    const { rows } = page.checkpoint;
    making.report({ rows, totalRows: rows });
    return { file: await finish(making, writer), rows };
  } finally {
    await writer.close();
  }
}

function specFor({ job, partial }: Making, rule: WindowRule | null): WriterSpec {
  const { format, csv, fields, timeZone, fileName } = job.plan;
  const without = fieldsFor(fields, rule?.field ?? null).filter((field) => !fields.includes(field));
  return { folder: job.folder, partial, name: fileName, format, csv, fields, without, timeZone, rule };
}

/** Copies page after page, each noted in the journal when it is written. */
async function copyAll(
  making: Making,
  writer: WriterThread,
  { rule, from, sent }: Reading,
): Promise<{ rows: number } | { giveUp: string }> {
  const { job, signal, report } = making;
  const first: Cursor = from?.cursor ?? (rule ? firstWindow : firstRun('all', 0));
  let rows = from?.rows ?? 0;
  const source: PageSource =
    rule && sent
      ? { ...sent.requests, writer, first: sent.page }
      : { ...requestsOf(making, rule, rows), writer };
  for await (const page of copyPages(source, first, job.plan.concurrency)) {
    if ('giveUp' in page) return page;
    const { checkpoint, durable, added } = page;
    if (added > 0) await job.journal.append({ kind: 'page', checkpoint }, { flush: durable });
    ({ rows } = checkpoint);
    report({ rows, bytes: Math.max(checkpoint.marks.partial, checkpoint.marks.spool) });
    if (signal.aborted) throw new AppError('cancelled', {});
  }
  return { rows };
}

async function finish({ signal, report }: Making, writer: WriterThread): Promise<Finished> {
  for (;;) {
    if (signal.aborted) throw new AppError('cancelled', {});
    const step = await writer.finishMore();
    if (!('sha256' in step)) continue;
    report({ bytes: step.bytes });
    return step;
  }
}
