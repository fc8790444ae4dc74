import { rm } from 'node:fs/promises';
import { isAppError } from '../../shared/errors/errors.ts';
import { exportResult, type ExportResult } from '../../shared/export/export.ts';
import type { Engine, EngineContext, OpenJob } from '../jobs/engine.ts';
import { wholeQuestionOf } from '../query/questions.ts';
import { compareCounts, type Compared } from './counts.ts';
import { makeFile, objectIn, type MadeFile } from './make-file.ts';
import { checkManifest, manifestText, writeManifest } from './manifest.ts';
import { placesFor, publish, type Places, findFinished, findPartial, removeSpools } from './places.ts';
import {
  exportEntry,
  exportFormatVersion,
  exportPlan,
  progressIn,
  type ExportEntry,
  type ExportPlan,
  type ExportProgress,
} from './plan.ts';

/**
 * Exports: everything that matches, each record once, in order. Records are read by windows on the dataset's index
 * field, or by `skip`, and written in a thread of their own to `<file>.partial`, which gets its name when it is whole.
 * The journal holds a checkpoint for each page; on an unchanged dataset a resumed export has the bytes of an
 * undisturbed one.
 */
export const exportEngine: Engine<ExportPlan, ExportEntry, ExportResult> = {
  kind: 'export',
  format: exportFormatVersion,
  plan: exportPlan,
  entry: exportEntry,
  result: exportResult,
  async run(job, context) {
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    try {
      return await runExport({ job, context, signal });
    } finally {
      // Requests that run ahead end with the job, however it ends.
      stop.abort();
    }
  },
  async discard({ journal }) {
    const { partial } = progressIn(journal.earlier);
    if (partial?.endsWith('.partial')) await rm(partial, { force: true });
  },
};

/** There is nothing to count the answer to a pipeline by. */
const notCounted: Compared = { expected: null, atEnd: null, warnings: [], notes: [] };

interface Running {
  readonly job: OpenJob<ExportPlan, ExportEntry>;
  readonly context: EngineContext<ExportResult>;
  readonly signal: AbortSignal;
}

async function runExport(running: Running): Promise<ExportResult> {
  const { job, context, signal } = running;
  const { plan, journal } = job;
  const read = progressIn(journal.earlier);
  const before = { ...read, began: read.began ?? new Date().toISOString() };
  const places = await placesFor(plan, job.folder);
  await checkManifest(places.manifest, places.file);
  const counts = createCounts(running, before);
  const found = await findFinished(places, before, signal);
  const made: MadeFile = found
    ? { ...found, rule: before.surveyed?.rule ?? null, why: before.surveyed?.why ?? null }
    : await makeAndPublish(running, before, places, counts);
  const { file, rows, why } = made;
  const compared = plan.answerTo ? notCounted : await counts.compare(made);
  const { expected, atEnd, warnings } = compared;
  await context.made('result', places.file);
  const text = manifestText(places.file, {
    plan,
    rows,
    ...file,
    counted: { atStart: counts.current, atEnd },
    started: before.began,
    finished: new Date().toISOString(),
    warnings,
    notes: [...(why === null ? [] : [`The records were read by skip: ${why}.`]), ...compared.notes],
  });
  await writeManifest(places.manifest, text);
  await context.made('manifest', places.manifest);
  context.report({ rows, bytes: file.bytes });
  await removeSpools(job.folder);
  return { rows, bytes: file.bytes, sha256: file.sha256, expected, warnings: [...warnings] };
}

type RunCounts = ReturnType<typeof createCounts>;

/** The count at the start, for the time left and for the manifest, and the one at the end, which the rows are compared with. */
function createCounts({ job, context, signal }: Running, before: ExportProgress) {
  const query = objectIn(job.plan.query);
  const count = (by: typeof query) => context.services.data.count(job.plan.address, by, { signal });
  const { promise: atStart, resolve } = Promise.withResolvers<number>();
  let current = before.counted;
  let atEnd: Promise<number> | null = null;
  function know(counted: number): void {
    current = counted;
    context.report({ totalRows: counted });
    resolve(counted);
  }
  async function setAtStart(counted: number): Promise<void> {
    know(counted);
    await job.journal.append({ kind: 'counted', count: counted });
  }
  if (current !== null) know(current);
  return {
    get current() {
      return current;
    },
    atStart,
    setAtStart,
    countAtStart() {
      if (current === null)
        count(query)
          .then(setAtStart)
          .catch(() => undefined);
    },
    countAtEnd() {
      atEnd ??= count(query);
      atEnd.catch(() => undefined);
    },
    /** Compares the rows that were written with the count at the end; with a later one where the two differ. */
    async compare({ rows, rule }: MadeFile): Promise<Compared> {
      if ((await atEnd?.catch(() => null)) === rows)
        return { expected: rows, atEnd: rows, warnings: [], notes: [] };
      return compareCounts(count, { rows, atStart: current, query, rule });
    },
  };
}

async function makeAndPublish(
  { job, context, signal }: Running,
  before: ExportProgress & { readonly began: string },
  places: Places,
  counts: RunCounts,
): Promise<MadeFile> {
  const { journal, plan } = job;
  const { data } = context.services;
  const { address } = plan;
  let path = '';
  const made = await makeFile(
    {
      job,
      signal,
      counts,
      report: (progress) => context.report(progress),
      async partial() {
        path ||= await findPartial(places, before, (entry, options) => journal.append(entry, options));
        return path;
      },
      // A pipeline's order is its own, and its results have no key to cut pages by.
      async findWhole(asked) {
        const question = wholeQuestionOf(asked);
        const { bytes } =
          question.kind === 'pipeline'
            ? await data.pipeline(address, question.stages, { signal })
            : await data.aggregate(address, question.aggregate, { signal });
        return bytes;
      },
      async findFirst({ includeCount, ...first }) {
        const find = (counted: boolean) =>
          data.find(address, { ...first, limit: 1, includeCount: counted }, { signal });
        if (!includeCount) return find(false);
        return find(true).catch((error: unknown) => {
          // Counting can take longer than an answer may; the record itself is found at once.
          if (isAppError(error, 'timed_out')) return find(false);
          throw error;
        });
      },
      async find(find, { signal: until, checked = false }) {
        const options = { signal: until };
        if (!checked) return data.findUnread(address, find, options);
        return (await data.find(address, find, options)).bytes;
      },
    },
    before,
  );
  await journal.append({ kind: 'finished', file: made.file, rows: made.rows }, { flush: true });
  await publish(path, places.file);
  return made;
}
