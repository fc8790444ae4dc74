import { join } from 'node:path';
import { qualityJobResult, type QualityJobResult } from '../../../shared/jobs/jobs.ts';
import { summarizeComparison } from '../../../shared/quality/comparison.ts';
import { summarize } from '../../../shared/quality/quality.ts';
import type { QualityReport } from '../../../shared/quality/report.ts';
import type { Thread } from '../../../shared/threads.ts';
import { writeText } from '../../core/files/shared-file.ts';
import type { Engine } from '../../core/jobs/jobs.ts';
import { readAllRecords } from '../../core/reading/read-records.ts';
import type { DataService } from '../../core/wire/services/services.ts';
import type { SqlEngine } from '../../core/duckdb/sql-engine.ts';
import { compareSides } from './compare-sides.ts';
import {
  qualityEntry,
  qualityFormatVersion,
  qualityPlan,
  type CheckPlan,
  type QualityEntry,
  type QualityEvent,
  type QualityPlan,
} from './plan.ts';
import { openQualityThread } from './quality-thread.ts';
import type { QualityCalls } from './quality-worker.ts';
import { fieldsToRead } from './record-roles.ts';

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
  async *run({ plan, folder }, { services, signal }) {
    yield { kind: 'progress', progress: { rows: 0 } };
    const quality = openQualityThread(signal);
    try {
      const { calls } = quality;
      const read = { folder, data: services.data, calls, engine, signal };
      let report: object;
      let result: QualityJobResult;
      if ('source' in plan) {
        const compared = yield* compareSides({ ...read, plan });
        [report, result] = [compared, summarizeComparison(compared)];
      } else {
        const checked = yield* checkDataset({ ...read, plan });
        [report, result] = [checked, summarize(checked)];
      }
      const path = join(folder, reportName);
      await writeText(path, JSON.stringify(report));
      yield { kind: 'artifact', artifact: { kind: 'result', path } };
      yield { kind: 'entries', entries: [{ kind: 'finished', rows: result.rows }], flush: true };
      return result;
    } finally {
      quality.close();
    }
  },
});

interface DatasetCheck {
  readonly plan: CheckPlan;
  readonly data: DataService;
  readonly calls: Thread<QualityCalls>['calls'];
  readonly signal: AbortSignal;
}

/** Checks all matching records. @throws AppError of the services; `cancelled` */
async function* checkDataset({
  plan,
  data,
  calls,
  signal,
}: DatasetCheck): AsyncGenerator<QualityEvent, QualityReport> {
  const { spec } = plan;
  const request = { ...plan, fields: fieldsToRead(spec) };
  let rows = 0;
  for await (const event of readAllRecords({ data, request, signal, read: calls.read })) {
    if (event.kind === 'start') {
      rows = 0;
      await calls.open({ spec, rule: event.rule });
    } else if (event.kind === 'count') yield { kind: 'progress', progress: { totalRows: event.count } };
    else if (event.kind === 'page') {
      await calls.check();
      rows += event.added;
      yield { kind: 'progress', progress: { rows } };
    }
  }
  const report = await calls.report();
  yield { kind: 'progress', progress: { rows: report.rows, totalRows: report.rows } };
  return report;
}
