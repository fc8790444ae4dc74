import { isSame } from '../../../shared/quality/comparison.ts';
import type { QualityReport } from '../../../shared/quality/report.ts';
import { comparisonLines, comparisonSummary } from './comparison-summary.ts';
import type { Cli, Outcome } from './context.ts';
import { followJob } from './jobs/follow.ts';
import { stoppedOutcome } from './jobs/outcome.ts';
import { exceededLimits, qualityLines, qualitySummary, type QualityLimits } from './quality-summary.ts';
import type { ConnectedSession } from './session.ts';

const noLimits: QualityLimits = { maxGap: undefined, maxNulls: undefined };

/** Waits for a job of quality. Exit code 3: a limit is exceeded, or the compared records differ. */
export async function qualityJobOutcome(
  session: ConnectedSession,
  cli: Cli,
  id: string,
  limits: QualityLimits = noLimits,
): Promise<Outcome> {
  const job = await followJob(session, cli, id);
  if (job.state !== 'done') return stoppedOutcome(job, session.app.files, cli);
  const { kind, report } = await session.client.quality.report({ job: id });
  if (kind === 'check') return checkOutcome(cli, report, limits, id);
  if (!cli.json) await cli.out.lines(comparisonLines(report));
  return { summary: { job: id, ...comparisonSummary(report) }, exitCode: isSame(report) ? 0 : 3 };
}

/** What a check found. Exit code 3: a limit is exceeded. */
export async function checkOutcome(
  cli: Cli,
  report: QualityReport,
  limits: QualityLimits,
  job?: string,
): Promise<Outcome> {
  if (!cli.json) await cli.out.lines(qualityLines(report));
  const exceeded = exceededLimits(report, limits);
  for (const sentence of exceeded) cli.messages.say(sentence);
  const summary = { ...(job === undefined ? {} : { job }), ...qualitySummary(report), exceeded };
  return { summary, exitCode: exceeded.length > 0 ? 3 : 0 };
}
