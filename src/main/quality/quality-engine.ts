import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { qualityResult, summarize, type QualityResult } from '../../shared/quality/quality.ts';
import { writeError } from '../files/file-errors.ts';
import type { Engine } from '../jobs/engine.ts';
import {
  qualityEntry,
  qualityFormatVersion,
  qualityPlan,
  type QualityEntry,
  type QualityPlan,
} from './plan.ts';
import { openQualityThread } from './quality-thread.ts';
import { readDataset } from './read-dataset.ts';

const reportName = 'quality.json';

/**
 * Checks the quality of all matching records, read once by the pages of an export. The report is a file of the job. A
 * resumed job reads all records again: what was found so far is only in memory, and reading is fast.
 */
export const qualityEngine: Engine<QualityPlan, QualityEntry, QualityResult> = {
  kind: 'quality',
  format: qualityFormatVersion,
  plan: qualityPlan,
  entry: qualityEntry,
  result: qualityResult,
  async run({ plan, folder, journal }, context) {
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const thread = openQualityThread();
    // Starts while the first page travels.
    thread.start();
    try {
      context.report({ rows: 0 });
      const report = await readDataset({ plan, context, thread, signal });
      const path = join(folder, reportName);
      await writeFile(path, JSON.stringify(report), { mode: 0o600 }).catch((cause: unknown) => {
        throw writeError(cause, reportName, 0);
      });
      await context.addArtifact('result', path);
      await journal.append({ kind: 'finished', rows: report.rows }, { flush: true });
      context.report({ rows: report.rows, totalRows: report.rows });
      return summarize(report);
    } finally {
      // Stops prefetched requests, however the job ends.
      stop.abort();
      thread.close();
    }
  },
};
