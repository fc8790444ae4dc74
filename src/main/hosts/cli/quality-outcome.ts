import {
  isSame,
  comparedSides,
  fieldDiffers,
  type ComparedSide,
  type Comparison,
} from '../../../shared/quality/comparison.ts';
import { irregularWells, type OddValue, type QualityReport } from '../../../shared/quality/quality-report.ts';
import type { Cli, Outcome, Session } from './command.ts';
import { followJob, stoppedOutcome } from './jobs/outcome.ts';
import { tableLines, type Column } from './table.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { lengthOf } from '../../../shared/quality/quality.ts';

type Place = number | string | null;

/** Shows values of an index: times as ISO 8601, others as they are. */
const shownIndex =
  (kind: QualityReport['index']['kind']) =>
  (value: number): number | string =>
    kind === 'time' ? new Date(value).toISOString() : value;

/** A report with times as ISO 8601, and steps of time in seconds. */
function qualitySummary({ absent: _absent, completeness: _rows, ...report }: QualityReport) {
  const { index } = report;
  const isTime = index.kind === 'time';
  const place = shownIndex(index.kind);
  const orNull = (value: number | null): Place => (value === null ? null : place(value));
  const inUnit = (step: number | null): number | null => (isTime && step !== null ? step / 1000 : step);
  const hasWells = report.wells.length > 1 || report.gaps.some(({ well }) => well !== '');
  const range = <T extends { readonly well: string; readonly from: number; readonly to: number }>({
    well,
    from,
    to,
    ...rest
  }: T) => ({ ...(hasWells ? { well } : {}), from: place(from), to: place(to), ...rest });
  const marked = ({ well, at, value }: OddValue) => ({
    ...(hasWells ? { well } : {}),
    at: place(at),
    value,
  });
  return {
    ...report,
    irregularWells: irregularWells(report).length,
    longest: report.longest && range(report.longest),
    index: { ...index, first: orNull(index.first), last: orNull(index.last), step: inUnit(index.step) },
    gaps: report.gaps.map(range),
    fields: report.fields.map(({ values: _values, ...field }) => ({
      ...field,
      flat: field.flat.map(range),
      spikePlaces: field.spikePlaces.map(marked),
      outsidePlaces: field.outsidePlaces.map(marked),
      first: orNull(field.first),
      last: orNull(field.last),
    })),
    wells: report.wells.map((well) => ({
      ...well,
      first: orNull(well.first),
      last: orNull(well.last),
      step: inUnit(well.step),
    })),
  };
}

interface QualityLimits {
  /** The longest gap, such as `10m`. */
  readonly maxGap?: string | undefined;
  /** The highest share of records without a value in a field, 0 to 1. */
  readonly maxNulls?: number | undefined;
}

/** Sentences about what couldn't be compared with the limits. */
function uncheckedParts(
  { index, wells, absent, uncheckedWells, uncheckedFields }: QualityReport,
  { maxGap, maxNulls }: QualityLimits,
): string[] {
  const hasMaxGap = maxGap !== undefined;
  return [
    ...absent.map((well) => `No records to check (${well}).`),
    ...(hasMaxGap ? wells.filter(({ first }) => first === null) : []).map(({ well }) => {
      const of = wells.length === 1 ? '' : well === '' ? ' without a well' : ` of ${well}`;
      return `No record${of} has ${index.field}, so gaps aren’t checked.`;
    }),
    ...(hasMaxGap && uncheckedWells > 0
      ? [`Too many wells. Not checked for gaps: ${uncheckedWells}. Check fewer wells at a time.`]
      : []),
    ...(maxNulls !== undefined && uncheckedFields > 0
      ? [`Too many fields. Not checked: ${uncheckedFields}. Select some with --fields.`]
      : []),
  ];
}

/**
 * Sentences about the limits that a report exceeds, and about what wasn't compared with them.
 * @throws AppError `invalid_input` if the report can't be compared with the maximum gap
 */
function exceededLimits(report: QualityReport, limits: QualityLimits): string[] {
  const { maxGap, maxNulls } = limits;
  const { index, longest, fields, rows } = report;
  const isLimited = maxGap !== undefined || maxNulls !== undefined;
  if (isLimited && rows === 0) return ['No records to check.'];
  const exceeded = isLimited ? uncheckedParts(report, limits) : [];
  const limit =
    maxGap === undefined || index.kind === 'rows' ? null : lengthOf(maxGap, index.kind, index.unit);
  if (maxGap !== undefined && limit === null)
    throw invalidInput(
      index.kind === 'rows'
        ? 'Without a time or depth, gaps aren’t checked. Remove --max-gap.'
        : `“${maxGap}” can’t be compared with this index. Write ${index.kind === 'time' ? '30s or 10m' : `a number in ${index.unit ?? 'its unit'}`}.`,
      { field: 'max-gap' },
    );
  const place = shownIndex(index.kind);
  if (limit !== null && longest && longest.to - longest.from > limit)
    exceeded.push(
      `Gap from ${place(longest.from)} to ${place(longest.to)}${longest.well === '' ? '' : ` (${longest.well})`}, longer than ${maxGap}.`,
    );
  if (maxNulls !== undefined)
    for (const { name, values } of fields) {
      const share = rows === 0 ? 0 : (rows - values) / rows;
      if (share > maxNulls)
        exceeded.push(
          `${name} has no value in ${(100 * share).toFixed(1)}% of the records, more than ${Number((100 * maxNulls).toPrecision(12))}%.`,
        );
    }
  return exceeded;
}

const fieldColumns: readonly Column<QualityReport['fields'][number]>[] = [
  { name: 'field', of: ({ name }) => name },
  { name: 'unit', of: ({ unit }) => unit },
  { name: 'nulls', of: ({ nulls }) => nulls },
  { name: 'null values', of: ({ tokens }) => tokens },
  { name: 'flat', of: ({ flatCount }) => flatCount },
  { name: 'spikes', of: ({ spikes }) => spikes },
  { name: 'wells not checked', of: ({ uncheckedWells }) => uncheckedWells },
  { name: 'outside', of: ({ outside }) => outside },
  { name: 'min', of: ({ min }) => min },
  { name: 'max', of: ({ max }) => max },
];

const maxListedGaps = 20;

function* qualityLines(report: QualityReport): Generator<string> {
  const summary = qualitySummary(report);
  const { rows, index, gaps, gapCount, missing, duplicates, disorder, unplaced } = summary;
  const { irregularWells: irregular, longest, uncheckedWells, uncheckedFields } = summary;
  yield `rows: ${rows}`;
  if (index.first !== null)
    yield `index: ${index.field ?? 'row number'}, ${index.first} to ${index.last}, step ${index.step ?? 'irregular'} ${index.step === null ? '' : (index.unit ?? '')}`.trimEnd();
  yield `gaps: ${gapCount}, missing records: ${missing}`;
  if (irregular > 0) {
    const distance = longest ? `, longest distance: ${longest.from} to ${longest.to}` : '';
    yield `gaps not checked, no index or irregular step: ${irregular} of ${report.wells.length} wells${distance}`;
  }
  for (const gap of gaps.slice(0, maxListedGaps))
    yield `  ${gap.well ? `${gap.well}: ` : ''}${gap.from} to ${gap.to}, ${gap.missing ?? 'unknown'} missing`;
  if (gaps.length > maxListedGaps) yield `  … ${gapCount - maxListedGaps} more`;
  yield `repeated: ${duplicates}`;
  yield `out of order: ${disorder}`;
  if (unplaced > 0) yield `without ${index.field}: ${unplaced}`;
  if (uncheckedWells > 0) yield `wells only counted: ${uncheckedWells}`;
  if (uncheckedFields > 0) yield `fields not checked: ${uncheckedFields}`;
  const partly = report.fields.filter((field) => field.uncheckedWells > 0).length;
  if (partly > 0) yield `fields whose flat lines and spikes weren’t checked in all wells: ${partly}`;
  yield '';
  yield* tableLines(
    fieldColumns.filter(({ name }) => partly > 0 || name !== 'wells not checked'),
    report.fields,
  );
}

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

const differingColumns: readonly Column<Summary['fields'][number]>[] = [
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
  const { matched, shift, index, fields, absent } = summary;
  yield `matched: ${matched}`;
  if (shift !== 0) yield `shift: ${shift} ${index.unit ?? ''}`.trimEnd();
  for (const name of comparedSides) {
    const { rows, unplaced, rejected, extra, only, ranges, rangeCount, fields: ownFields } = summary[name];
    yield '';
    yield `${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${only} only here, ${extra} repeated more often`;
    if (rejected > 0) yield `  rows that can’t be read: ${rejected}`;
    if (unplaced > 0) yield `  without ${index.field}: ${unplaced}`;
    for (const { well, from, to, records } of ranges.slice(0, shownRanges))
      yield `  only here: ${well === '' ? '' : `${well}: `}${from} to ${to}, ${records} ${records === 1 ? 'record' : 'records'}`;
    if (rangeCount > shownRanges) yield `  … ${rangeCount - shownRanges} more`;
    if (ownFields.length > 0) yield `  fields only here: ${ownFields.join(', ')}`;
  }
  const different = fields.filter(fieldDiffers);
  yield '';
  yield `fields: ${fields.length} in both, ${different.length} differ`;
  if (absent.length > 0) yield `  without values: ${absent.join(', ')}`;
  if (different.length > 0) {
    yield '';
    yield* tableLines(differingColumns, different);
  }
}

/**
 * Waits for a job of quality. Exit code 3: a limit is exceeded, or the compared records differ.
 * @param limits absent: a comparison, which has none, or a resumed check, whose limits aren't stored
 * @throws AppError invalid_input if a limit doesn’t suit the records
 */
export async function qualityJobOutcome(
  session: Session,
  cli: Cli,
  id: string,
  limits?: QualityLimits,
): Promise<Outcome> {
  const job = await followJob(session, cli, id);
  if (job.state !== 'done') return stoppedOutcome(job, session.app.files, cli);
  const { kind, report } = await session.client.quality.report({ job: id });
  if (kind === 'check') {
    if (!limits)
      cli.messages.say('Limits such as --max-gap aren’t stored with the job, so they weren’t checked.');
    return checkOutcome(cli, report, limits ?? {}, id);
  }
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
