import { rm } from 'node:fs/promises';
import { isAppError } from '../../shared/errors/errors.ts';
import { exportResult, type ExportResult } from '../../shared/export/export.ts';
import type { Engine, EngineContext, OpenJob } from '../jobs/engine.ts';
import { compareCounts, type Compared, type Count } from './counts.ts';
import { makeFile, objectIn, type Made, type TotalCount } from './making.ts';
import { checkManifest, manifestText, writeManifest, type ManifestFacts } from './manifest.ts';
import { placesFor, publish, type Places } from './places.ts';
import { exportEntry, exportFormatVersion, exportPlan, type ExportEntry, type ExportPlan } from './plan.ts';
import { soFar, type SoFar } from './progress-so-far.ts';
import { askWhole } from './whole-answer.ts';
import { findFinished, findPartial, removeSpools } from './recover.ts';

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
    const { partial } = soFar(journal.earlier);
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
  const read = soFar(journal.earlier);
  const before = { ...read, began: read.began ?? new Date().toISOString() };
  const places = await placesFor(plan, job.folder);
  await checkManifest(places.manifest, places.file);
  const count: Count = (query) => context.services.data.count(plan.address, query, { signal });
  const total = createTotal(running, count, before);
  const found = await findFinished(places, before, signal);
  const made: Made = found
    ? { ...found, rule: before.surveyed?.rule ?? null, why: before.surveyed?.why ?? null }
    : await makeAndPublish(running, before, places, total);
  const { file, rows, rule } = made;
  const written = { rows, atStart: total.current, query: objectIn(plan.query), rule };
  const compared = plan.answerTo ? notCounted : await compareCounts(count, written);
  const { expected, atEnd } = compared;
  const warnings = [...compared.warnings];
  await tell(running, places, {
    plan,
    rows,
    ...file,
    counted: { atStart: total.current, atEnd },
    started: before.began,
    finished: new Date().toISOString(),
    warnings,
    notes: [...notesOn(made), ...compared.notes],
  });
  await removeSpools(job.folder);
  return { rows, bytes: file.bytes, sha256: file.sha256, expected, warnings };
}

/** The count at the start, for the time left and for the manifest. */
function createTotal({ job, context }: Running, count: Count, before: SoFar): TotalCount {
  let current = before.counted;
  const report = (): void => context.report({ totalRows: current });
  if (current !== null) report();
  async function set(counted: number): Promise<void> {
    current = counted;
    report();
    await job.journal.append({ kind: 'counted', count: counted });
  }
  return {
    get current() {
      return current;
    },
    set,
    countBeside() {
      if (current !== null) return;
      void count(objectIn(job.plan.query))
        .then(set)
        .catch(() => undefined);
    },
  };
}

async function makeAndPublish(
  { job, context, signal }: Running,
  before: SoFar & { readonly began: string },
  places: Places,
  total: TotalCount,
): Promise<Made> {
  const { journal, plan } = job;
  const partial = await findPartial(places, before, (entry, options) => journal.append(entry, options));
  const { data } = context.services;
  const made = await makeFile(
    {
      job,
      partial,
      signal,
      total,
      report: (progress) => context.report(progress),
      askWhole: (asked) => askWhole(data, plan, asked, { signal }),
      async findFirst({ includeCount, ...first }) {
        const find = (counted: boolean) =>
          data.find(plan.address, { ...first, limit: 1, includeCount: counted }, { signal });
        if (!includeCount) return find(false);
        return find(true).catch((error: unknown) => {
          // Counting can take longer than an answer may; the record itself is found at once.
          if (isAppError(error, 'timed_out')) return find(false);
          throw error;
        });
      },
      async find(find, { signal: until, checked = false }) {
        const options = { signal: until };
        if (!checked) return data.findUnread(plan.address, find, options);
        return (await data.find(plan.address, find, options)).bytes;
      },
    },
    before,
  );
  await journal.append({ kind: 'finished', file: made.file, rows: made.rows }, { flush: true });
  await publish(partial, places.file);
  return made;
}

function notesOn({ why }: Made): string[] {
  return why === null ? [] : [`The records were read by skip: ${why}.`];
}

async function tell({ context }: Running, { file, manifest }: Places, facts: ManifestFacts): Promise<void> {
  await context.made('result', file);
  await writeManifest(manifest, manifestText(file, facts));
  await context.made('manifest', manifest);
  context.report({ rows: facts.rows, bytes: facts.bytes });
}
