import { AppError } from '../../shared/errors.ts';
import { parseJson, isObject, type JsonObject } from '../../shared/json.ts';
import type { WholeQuestion } from '../../shared/export.ts';
import type { EngineContext, OpenJob } from '../jobs/engine.ts';
import type { RecordsAnswer } from '../services/services.ts';
import { createPageLimit } from './page-limit.ts';
import { pagesInBands } from './bands.ts';
import type { Find } from './pages.ts';
import { firstRun, firstWindow, type Cursor } from './paging/cursor.ts';
import { fieldsFor, type Wanted } from './paging/request.ts';
import type { WindowRule } from './paging/rule.ts';
import { survey } from './paging/survey.ts';
import type { ExportEntry, ExportPlan } from './plan.ts';
import type { SoFar } from './progress-so-far.ts';
import { createKeyReader } from './paging/seams.ts';
import { lastUsable } from './recover.ts';
import { startWriting, type WritingThread, type WriterThread } from './writing/thread.ts';
import type { Checkpoint, Finished, WriterSpec } from './writing/spec.ts';

/** Everything that making the file needs. */
export interface Making {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly report: EngineContext['report'];
  readonly find: Find;
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
  const known = before.surveyed ?? (await lookAround(making));
  const from = await lastUsable(before, job.plan, { folder: job.folder, partial: making.partial });
  if (!from && before.checkpoints.length > 0) await job.journal.append({ kind: 'anew' }, { flush: true });
  const made = await readAll(making, known.rule, from);
  if (!('giveUp' in made)) return { ...made, ...known };
  await job.journal.append({ kind: 'gaveUp', why: made.giveUp }, { flush: true });
  const again = await readAll(making, null, null);
  if ('giveUp' in again) throw new AppError('internal', { problem: again.giveUp });
  return { ...again, rule: null, why: made.giveUp };
}

async function lookAround({
  job,
  find,
  signal,
}: Making): Promise<{ rule: WindowRule | null; why: string | null }> {
  const { windows } = job.plan;
  if (windows === null) return { rule: null, why: null };
  const keyIn = createKeyReader(windows.field);
  const query = objectIn(job.plan.query);
  const fields = fieldsFor(['_id'], windows.field);
  const found = await survey(windows, async (sort) => {
    return keyIn(await find({ query, sort, limit: 1, fields }, { signal, checked: true }));
  });
  const known = { rule: found.rule, why: found.rule === null ? found.why : null };
  await job.journal.append({ kind: 'surveyed', ...known });
  return known;
}

type Outcome = { readonly file: Finished; readonly rows: number } | { readonly giveUp: string };

async function readAll(making: MakingIn, rule: WindowRule | null, from: Checkpoint | null): Promise<Outcome> {
  const writer = await making.thread.open(specFor(making, rule), from);
  try {
    const copied = await copyPages(making, { rule, writer, from });
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
    const taken = await writer.take({ at: 'whole' }, await making.askWhole(asked), null);
    if ('giveUp' in taken) throw new AppError('internal', { problem: taken.giveUp });
    const { rows } = await writer.write(taken.page);
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

interface Copying {
  readonly rule: WindowRule | null;
  readonly writer: WriterThread;
  readonly from: Checkpoint | null;
}

/** Copies page after page, each kept in the journal when it is written; the next ones are fetched meanwhile. */
async function copyPages(
  making: Making,
  { rule, writer, from }: Copying,
): Promise<{ rows: number } | { giveUp: string }> {
  const { job, find, signal, report } = making;
  const wanted: Wanted = {
    query: objectIn(job.plan.query),
    sort: objectIn(job.plan.sort),
    fields: job.plan.fields,
  };
  const first: Cursor = from?.cursor ?? (rule ? firstWindow : firstRun('all', 0));
  const source = { find, writer, wanted, rule, limit: createPageLimit(), signal };
  let rows = from?.rows ?? 0;
  for await (const page of pagesInBands(source, first, job.plan.concurrency)) {
    if ('giveUp' in page) return page;
    const { durable, ...checkpoint } = await writer.write(page.page);
    if (page.rows > 0) await job.journal.append({ kind: 'page', checkpoint }, { flush: durable });
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
