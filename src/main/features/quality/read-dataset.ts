import type { QualityReport } from '../../../shared/quality/report.ts';
import type { Thread } from '../../../shared/threads.ts';
import { readRecords, transferable } from '../../core/read/read-records.ts';
import type { EngineContext } from '../../core/jobs/engine.ts';
import type { CheckPlan } from './plan.ts';
import type { QualityCalls } from './quality-worker.ts';
import { fieldsToRead } from './record-roles.ts';

interface DatasetRead {
  readonly plan: CheckPlan;
  readonly context: Pick<EngineContext, 'services' | 'report'>;
  readonly calls: Thread<QualityCalls>['calls'];
  readonly signal: AbortSignal;
}

/**
 * Checks all matching records.
 * @throws AppError of the services; `cancelled`
 */
export async function readDataset({ plan, context, calls, signal }: DatasetRead): Promise<QualityReport> {
  const { spec } = plan;
  const pages = readRecords({
    data: context.services.data,
    request: { ...plan, fields: fieldsToRead(spec) },
    signal,
    async open(rule) {
      await calls.open({ spec, rule });
      return (at, content, origin) => calls.add({ at, content, origin }, { transfer: transferable(content) });
    },
    onCount: (totalRows) => context.report({ totalRows }),
  });
  for await (const page of pages)
    if (!('fallbackReason' in page)) context.report({ rows: page.checkpoint.rows });
  const report = await calls.report();
  context.report({ rows: report.rows, totalRows: report.rows });
  return report;
}
