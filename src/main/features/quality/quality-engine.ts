import { join } from 'node:path';
import { qualityJobResult, type QualityJobResult } from '../../../shared/jobs/jobs.ts';
import { summarizeComparison } from '../../../shared/quality/comparison.ts';
import { summarize } from '../../../shared/quality/quality.ts';
import { writeText } from '../../core/files/shared-file.ts';
import type { Engine } from '../../core/jobs/engine.ts';
import type { SqlEngine } from '../../core/duckdb/sql-engine.ts';
import { compareSides } from './compare-sides.ts';
import {
  qualityEntry,
  qualityFormatVersion,
  qualityPlan,
  type QualityEntry,
  type QualityPlan,
} from './plan.ts';
import { withQualityThread } from './quality-thread.ts';
import { readDataset } from './read-dataset.ts';

const reportName = 'quality.json';

/**
 * Checks or compares all matching records, read once by the pages of an export. The report is a file of the job. A
 * resumed job reads all records again: what was found so far is only in memory, and reading is fast.
 */
export const createQualityEngine = (
  engine: Pick<SqlEngine, 'runJob'>,
): Engine<QualityPlan, QualityEntry, QualityJobResult> => ({
  kind: 'quality',
  format: qualityFormatVersion,
  plan: qualityPlan,
  entry: qualityEntry,
  result: qualityJobResult,
  async run({ plan, folder, journal }, context) {
    const stop = new AbortController();
    const signal = AbortSignal.any([context.signal, stop.signal]);
    context.report({ rows: 0 });
    try {
      const [report, result] = await withQualityThread(
        signal,
        async (calls): Promise<readonly [report: object, result: QualityJobResult]> => {
          if ('source' in plan) {
            const compared = await compareSides({ plan, folder, context, calls, engine, signal });
            return [compared, summarizeComparison(compared)];
          }
          const checked = await readDataset({ plan, context, calls, signal });
          return [checked, summarize(checked)];
        },
      );
      const path = join(folder, reportName);
      await writeText(path, JSON.stringify(report));
      await context.addArtifact('result', path);
      await journal.append({ kind: 'finished', rows: result.rows }, { flush: true });
      return result;
    } finally {
      // Stops prefetched requests, however the job ends.
      stop.abort();
    }
  },
});
