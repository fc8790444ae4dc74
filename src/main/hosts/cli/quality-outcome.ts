import {
  isSame,
  comparedSides,
  fieldDiffers,
  type ComparedSide,
  type Comparison,
} from '../../../shared/quality/comparison.ts';
import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import type { Cli, Outcome } from './context.ts';
import { followJob } from './jobs/follow.ts';
import { stoppedOutcome } from './jobs/outcome.ts';
import {
  exceededLimits,
  qualityLines,
  qualitySummary,
  shownIndex,
  type QualityLimits,
} from './quality-summary.ts';
import type { ConnectedSession } from './session.ts';
import { tableLines, type Column } from './table.ts';

const shownRanges = 20;

/** A comparison with times as ISO 8601, and a shift of time in seconds. */
function comparisonSummary(comparison: Comparison) {
  const { index, shift, source, against, fields } = comparison;
  const isTime = index.kind === 'time';
  const place = shownIndex(index.kind);
  const withPlace = <T extends { readonly at: number }>(difference: T) => ({
    ...difference,
    at: place(difference.at),
  });
  const sideOf = (side: Comparison[ComparedSide]) => ({
    ...side,
    ranges: side.ranges.map((range) => ({ ...range, from: place(range.from), to: place(range.to) })),
  });
  return {
    ...comparison,
    shift: isTime ? shift / 1000 : shift,
    source: sideOf(source),
    against: sideOf(against),
    fields: fields.map((field) => ({
      ...field,
      largest: field.largest && withPlace(field.largest),
      places: field.places.map(withPlace),
    })),
  };
}

type Summary = ReturnType<typeof comparisonSummary>;

const fieldColumns: readonly Column<Summary['fields'][number]>[] = [
  { name: 'field', of: ({ name }) => name },
  { name: 'unit', of: ({ unit }) => unit },
  { name: 'compared', of: ({ compared }) => compared },
  { name: 'differing', of: ({ differing }) => differing },
  { name: 'missing in source', of: ({ lacking }) => lacking.source },
  { name: 'missing in against', of: ({ lacking }) => lacking.against },
  { name: 'largest', of: ({ largest }) => largest && Number(largest.difference.toPrecision(12)) },
  { name: 'at', of: ({ largest, places }) => (largest ?? places[0])?.at },
  { name: 'source', of: ({ largest, places }) => (largest ?? places[0])?.source },
  { name: 'against', of: ({ largest, places }) => (largest ?? places[0])?.against },
];

function* comparisonLines(comparison: Comparison): Generator<string> {
  const summary = comparisonSummary(comparison);
  const { matched, shift, index, fields, absent = [] } = summary;
  yield `matched: ${matched}`;
  if (shift !== 0) yield `shift: ${shift} ${index.unit ?? ''}`.trimEnd();
  for (const name of comparedSides) {
    const { rows, unplaced, rejected, extra, only, ranges, rangeCount, fields: ownFields } = summary[name];
    yield '';
    yield `${name}: ${rows} rows, ${only} only here, ${extra} repeated more often`;
    if (rejected > 0) yield `  rows that can’t be read: ${rejected}`;
    if (unplaced > 0) yield `  without ${index.field}: ${unplaced}`;
    for (const { well, from, to, records } of ranges.slice(0, shownRanges))
      yield `  only here: ${well === '' ? '' : `${well}: `}${from} to ${to}, ${records} records`;
    if (rangeCount > shownRanges) yield `  … ${rangeCount - shownRanges} more`;
    if (ownFields.length > 0) yield `  fields only here: ${ownFields.join(', ')}`;
  }
  const different = fields.filter(fieldDiffers);
  yield '';
  yield `fields: ${fields.length} in both, ${different.length} differ`;
  if (absent.length > 0) yield `  without values: ${absent.join(', ')}`;
  if (different.length > 0) {
    yield '';
    yield* tableLines(fieldColumns, different);
  }
}

const noLimits: QualityLimits = { maxGap: undefined, maxNulls: undefined };

/**
 * Waits for a job of quality. Exit code 3: a limit is exceeded, or the compared records differ.
 * @throws AppError invalid_input if a limit doesn’t suit the records
 */
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
  if (!cli.json) await cli.out.report(comparisonLines(report));
  return { summary: { job: id, ...comparisonSummary(report) }, exitCode: isSame(report) ? 0 : 3 };
}

/**
 * What a check found. Exit code 3: a limit is exceeded.
 * @throws AppError `invalid_input` if a limit doesn't suit the records
 */
export async function checkOutcome(
  cli: Cli,
  report: QualityReport,
  limits: QualityLimits,
  job?: string,
): Promise<Outcome> {
  const exceeded = exceededLimits(report, limits);
  if (!cli.json) await cli.out.report(qualityLines(report));
  for (const sentence of exceeded) cli.messages.say(sentence);
  const summary = { ...(job === undefined ? {} : { job }), ...qualitySummary(report), exceeded };
  return { summary, exitCode: exceeded.length > 0 ? 3 : 0 };
}
