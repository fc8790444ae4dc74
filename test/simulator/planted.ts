// Faults that are planted to see that the simulator finds them: a check that can't fail is worthless. Each is a small change
// of one file, which is made when the file is loaded.

import type { Plan } from './plan.ts';

export interface PlantedFault {
  readonly name: string;
  /** Below `src/main`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The only kind of histories that can find it; absent: any. */
  readonly kind?: Plan['kind'];
}

const journal = 'core/jobs/journal.ts';
const disk = 'core/files/disk.ts';
const output = 'core/files/output-file.ts';
const growing = 'core/files/growing-file.ts';
const ledger = 'features/upload/ledger.ts';
const insert = 'features/upload/sending/insert.ts';
const rejects = 'core/mapping/preparation.ts';
const reconcile = 'features/upload/sending/reconcile.ts';
const upload = 'features/upload/run.ts';
const existing = 'core/mapping/existing.ts';
const readExisting = 'features/upload/sending/existing.ts';
const exportWorker = 'core/write/export-worker.ts';
const runs = 'core/reading/runs.ts';
const windows = 'core/reading/windows.ts';
const reading = 'core/reading/reading.ts';
const folderPlan = 'core/write/folder/folder-plan.ts';
const tally = 'core/write/census/tally.ts';
const updateTable = 'core/write/folder/update-table.ts';
const deltaLog = 'core/write/delta/snapshot.ts';

export const plantedFaults: readonly PlantedFault[] = [
  {
    kind: 'journal',
    name: 'the journal is not flushed',
    file: journal,
    from: 'if (flush) await file.datasync();',
    to: '',
  },
  {
    kind: 'journal',
    name: 'what a kill left of a line stays in the journal',
    file: journal,
    from: 'if (exists) await writeWhole(path, lines.toString());',
    to: '',
  },
  {
    kind: 'journal',
    name: 'a journal that the last process could not flush is trusted',
    file: journal,
    from: 'await writeWhole(path, lines.toString());',
    to: "{ const file = await open(path, 'r+'); await file.truncate(lines.length); await file.sync(); await file.close(); }",
  },
  {
    kind: 'journal',
    name: 'what a full disk left of a line stays in the journal',
    file: journal,
    from: 'await cutTo(path, writtenBytes).catch(() => (failure = error));',
    to: '',
  },
  {
    name: 'an error of the journal is lost',
    file: 'core/jobs/jobs.ts',
    from: 'failure ? run.throw(failure.error) : run.next()',
    to: 'run.next()',
  },
  {
    name: 'a small file is not flushed before it gets its name',
    file: disk,
    from: 'await file.datasync();\n    } finally {',
    to: '} finally {',
  },
  {
    name: 'the names of new folders are not flushed',
    file: disk,
    from: 'await flushFolderNames(path);',
    to: '',
  },
  {
    name: 'the lock of a job is not taken',
    file: 'core/jobs/store.ts',
    from: "takeLock(this.#file(id, 'lock'))",
    to: '({ release: () => undefined })',
  },
  {
    kind: 'upload',
    name: 'work that another job does is done again',
    file: upload,
    from: 'if (isRunning || isInsertedAgain)',
    to: 'if (false)',
  },
  {
    name: 'a job that is created is one before its plan is there',
    file: 'core/jobs/store.ts',
    from: "      await writeText(this.#file(id, 'plan.json'), JSON.stringify(stored));\n",
    to: "      await this.save({ id, kind, summary });\n      await writeText(this.#file(id, 'plan.json'), JSON.stringify(stored));\n",
  },

  {
    kind: 'upload',
    name: 'a batch is sent before its journal entry is on disk',
    file: insert,
    from: "await note({ kind: 'sent', ...part, sha256 }, true);",
    to: "await note({ kind: 'sent', ...part, sha256 }, false);",
  },
  {
    kind: 'upload',
    name: 'a batch is sent before its journal entry is written',
    file: insert,
    from: "await note({ kind: 'sent', ...part, sha256 }, true);\n    const outcome = await insert(part, body, options);",
    to: "const outcome = await insert(part, body, options);\n    await note({ kind: 'sent', ...part, sha256 }, true);",
  },
  {
    name: 'a lost answer is taken for a failure',
    file: 'core/wire/http/http.ts',
    from: "if (error.isStarted) return { kind: 'lost', error: classified.error };",
    to: "if (error.isStarted) return { kind: 'not_sent', error: classified.error };",
  },
  {
    name: 'a gateway’s error is taken for a failure of the insert',
    file: 'core/wire/services/open.ts',
    from: "  return { kind: 'unknown', status, error };",
    to: "  return status >= 500 ? { kind: 'not_stored', status: 429, retryAfterMs: null, error } : { kind: 'unknown', status, error };",
  },
  {
    kind: 'upload',
    name: 'records that the answer counts as failed are taken for stored',
    file: insert,
    from: 'if (failedCount === 0) return { known: true, refused: [] };',
    to: 'if (failedCount >= 0) return { known: true, refused: [] };',
  },
  {
    kind: 'upload',
    name: 'the count of an answer is believed',
    file: insert,
    from: 'if (stored + failedCount !== records || failedCount < 0)',
    to: 'if (failedCount < 0)',
  },
  {
    kind: 'upload',
    name: 'rows without an answer are sent again after a kill',
    file: upload,
    from: "await this.note({ kind: 'unknown', ...part, status: null, cause }, true);",
    to: "await this.note({ kind: 'returned', ...part, reason: cause }, true);",
  },
  {
    kind: 'upload',
    name: 'a resumed upload that sent nothing keeps its old batches',
    file: upload,
    from: "await this.note({ kind: 'restarted' }, true);",
    to: 'await Promise.resolve();',
  },
  {
    kind: 'upload',
    name: 'rows without an answer are forgotten after a kill',
    file: upload,
    from: 'await run.closeUnanswered();',
    to: '',
  },
  {
    kind: 'upload',
    name: 'one read is enough for a row to be missing',
    file: reconcile,
    from: 'const agree = isFresh && before?.isFresh === true && isSameMatch(match, before.match);',
    to: 'const agree = true;',
  },
  {
    kind: 'upload',
    name: 'two reads follow each other without a wait',
    file: reconcile,
    from: 'if (reads > 0) await this.#waitForNextRead();\n      const left',
    to: 'const left',
  },
  {
    kind: 'upload',
    name: 'records of other batches are taken for those of a lost one',
    file: reconcile,
    from: '(id) => this.#ledger.knownIds.has(id)',
    to: '() => false',
  },
  {
    kind: 'upload',
    name: 'records that were there before are taken for those of a lost batch',
    file: readExisting,
    from: "skip: plan.existing === 'skip' });\n  if (isComplete) return true;",
    to: "skip: plan.existing === 'skip' });\n  if (isComplete || plan.existing === 'insert') return true;",
  },
  {
    kind: 'upload',
    name: 'a stored row is counted twice',
    file: ledger,
    from: 'this.#counts.skipped += skipped;',
    to: 'this.#counts.skipped += 2 * skipped;',
  },
  {
    kind: 'upload',
    name: 'rejected rows are not counted',
    file: ledger,
    from: 'this.#counts.rejected += refused;',
    to: 'this.#counts.accepted += refused;',
  },
  {
    kind: 'upload',
    name: 'existing records are not flushed',
    file: existing,
    from: 'file.sync();',
    to: '',
  },
  {
    kind: 'upload',
    name: 'existing records are read again after a kill',
    file: readExisting,
    from: 'const isComplete = await isExistingRead(folder);',
    to: 'const isComplete = false;',
  },
  {
    kind: 'upload',
    name: 'an existing record matches many rows',
    file: existing,
    from: 'this.#records.take(digest);',
    to: '',
  },
  {
    kind: 'upload',
    name: 'records of another computer are taken for those of a lost batch',
    file: reconcile,
    from: '(candidate) => test(candidate, part.namedIds));',
    to: '(candidate) => test(candidate, part.namedIds)) ?? foundRecords.find(({ key, id: other, before }) => key === row.key && !before && !isAccounted(other))?.id ?? null;',
  },
  {
    kind: 'upload',
    name: 'rows that others stored meanwhile are not compared',
    file: reconcile,
    from: 'fingerprints.has(fingerprint));\n  const example',
    to: 'fingerprints.size < 0);\n  const example',
  },
  {
    kind: 'upload',
    name: 'a file that changed is read on',
    file: upload,
    from: "if (!same) throw new AppError('file_changed', { file: fileName });",
    to: '',
  },
  {
    kind: 'upload',
    name: 'a rejected row is missing from the rejects',
    file: rejects,
    from: 'for (const row of rows) put(row, ...reasonOf(row, written.problems, layout.placeKind));',
    to: 'for (const row of rows) if (place !== 3) put(row, ...reasonOf(row, written.problems, layout.placeKind));',
  },
  {
    kind: 'upload',
    name: 'a row that the service refused is missing from the rejects',
    file: rejects,
    from: 'for (const row of rows) put(row, refused.code, refused.message);',
    to: 'rows.length = 0;',
  },
  {
    kind: 'upload',
    name: 'a rejected row has the line of another',
    file: rejects,
    from: "const cells = ['', ...from, record.line,",
    to: "const cells = ['', ...from, record.line + 1,",
  },
  {
    kind: 'upload',
    name: 'rejected rows are not on disk when the job is done',
    file: rejects,
    from: 'output.sync();',
    to: '',
  },

  {
    kind: 'export',
    name: 'a checkpoint is believed before its data is on disk',
    file: 'core/write/record-writer.ts',
    from: 'checkpoints.findLast(({ durable }) => durable)',
    to: 'checkpoints.findLast(() => true)',
  },
  {
    kind: 'export',
    name: 'a checkpoint is on disk before its ids',
    file: exportWorker,
    from: '    this.#seenIds.sync();\n',
    to: '',
  },
  {
    kind: 'export',
    name: 'a checkpoint is on disk before its records',
    file: exportWorker,
    from: '    this.#spool?.sync();\n    // A table is written to it at the end.\n    if (this.#file.length > 0) this.#file.sync();\n',
    to: '',
  },
  {
    kind: 'export',
    name: 'a resumed file keeps what was written after its checkpoint',
    file: growing,
    from: 'if (size > length) this.#withWriteErrors(() => disk.ftruncateSync(this.#fd, length));',
    to: '',
  },
  {
    kind: 'export',
    name: 'a file of the user is replaced',
    file: output,
    from: "if (!replaces) throw new AppError('file_exists', { file });",
    to: 'if (!replaces) return;',
  },
  {
    kind: 'export',
    name: 'records of a run that come again are written again',
    file: runs,
    from: 'if (key && seen.has(key)) continue;',
    to: '',
  },
  {
    kind: 'export',
    name: 'a page is skipped when records before it were deleted',
    file: runs,
    from: 'return { emit: [], next: stepBack(cursor) };',
    to: "return { emit: [], next: { ...cursor, step: 'plain' } };",
  },
  {
    kind: 'export',
    name: 'a page that was read ahead is believed',
    file: windows,
    from: 'if (overlaps && (firstRecord === 0 || firstRecord === keys.count)) return { isDetached: true };',
    to: '',
  },
  {
    kind: 'export',
    name: 'the last value of a page is taken for complete',
    file: windows,
    from: 'next: nextCursor(rule, cursor, { last, heldBack, keys, ids }),',
    to: 'next: heldBack.value === null ? nextCursor(rule, cursor, { last, heldBack, keys, ids }) : windowAfter(rule, heldBack.value, null),',
  },
  {
    kind: 'export',
    name: 'the count at the end is not compared',
    file: 'features/export/run.ts',
    from: 'if (atEnd === rows) return',
    to: 'if (atEnd >= 0) return',
  },
  {
    kind: 'quality',
    name: 'a check that lacks records says nothing',
    file: reading,
    from: '|| rows >= counted) return;',
    to: '|| rows >= 0) return;',
  },
  {
    kind: 'upload',
    name: 'a job with unknown rows is removed as old',
    file: 'core/jobs/store.ts',
    from: 'if (!data || data.ledger.unknown > 0) return false;',
    to: 'if (!data) return false;',
  },
  {
    kind: 'upload',
    name: 'a job is removed as old whose rejected rows only it has',
    file: 'core/jobs/store.ts',
    from: 'return data.ledger.rejected === 0 || isSaved;',
    to: 'return data.ledger.rejected >= 0 || isSaved;',
  },
  {
    name: 'the index is trusted before the folder of a job says that it is done',
    file: 'core/jobs/store.ts',
    from: '    const jobs = await this.#showAll(otherIds);\n    const isDone',
    to: "    await this.#addLines((await this.#showAll(otherIds)).map((job) => ({ ...job, summary: { ...job.summary, state: 'done' as const } })));\n    const jobs = await this.#showAll([]);\n    const isDone",
  },

  {
    kind: 'mirror',
    name: 'a file of a table is not flushed before its commit',
    file: 'core/files/move-file.ts',
    from: 'await flushFile(from);\n    const digest',
    to: 'const digest',
  },
  {
    kind: 'mirror',
    name: 'the names of files of a table are not flushed before its commit',
    file: updateTable,
    from: 'await flushFolders(folder, [...stats.keys()]);',
    to: '',
  },
  {
    kind: 'mirror',
    name: 'a file leaves a table before the commit',
    file: updateTable,
    from: 'isCommitting = true;',
    to: 'isCommitting = true;\n    for (const { path } of before?.parts ?? []) if (!paths.includes(path)) await rm(join(folder, path), { force: true });',
  },
  {
    kind: 'mirror',
    name: 'a commit of a table is not flushed',
    file: deltaLog,
    from: 'await output.complete();',
    to: '',
  },
  {
    kind: 'mirror',
    name: 'the overlap of a mirror is not read again',
    file: folderPlan,
    from: '{ fromMs: cutMs, toMs: maxTimeMs });',
    to: '{ fromMs: watermark, toMs: maxTimeMs });',
  },
  {
    kind: 'mirror',
    name: 'records of the overlap stay beside those that are read again',
    file: updateTable,
    from: '(${ms}) < ${beforeMs}`',
    to: '(${ms}) <= ${beforeMs}`',
  },
  {
    kind: 'mirror',
    name: 'a removed record stays in a mirror',
    file: tally,
    from: 'a.rows === b.rows &&',
    to: 'a.rows >= b.rows &&',
  },
  {
    kind: 'mirror',
    name: 'a mirror is compared by the number of records only',
    file: tally,
    from: 'a.rows === b.rows && (a.id === null || b.id === null || a.id === b.id) && areTimesSame(a.times, b.times);',
    to: 'a.rows === b.rows;',
  },
  {
    kind: 'mirror',
    name: 'files of a table are removed as old',
    file: 'core/write/delta/vacuum.ts',
    from: 'if (files.has(name) || (removed',
    to: 'if ((removed',
  },
  {
    kind: 'mirror',
    name: 'a checkpoint has files that left the table',
    file: 'core/write/delta/checkpoint.ts',
    from: '...tombstones.map((remove) => ({ remove: { ...remove, dataChange: false } })),',
    to: '...tombstones.map(({ path, size = 0, partitionValues = {} }) => ({ add: { path, size, partitionValues, modificationTime: 0, dataChange: false, stats: undefined, tags: undefined } })),',
  },
];
