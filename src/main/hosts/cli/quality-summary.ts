import { invalidInput } from '../../../shared/errors/errors.ts';
import type { QualityReport } from '../../../shared/quality/quality-report.ts';
import { lengthOf } from '../../../shared/quality/quality.ts';
import { tableLines, type Column } from './table.ts';

type Place = number | string | null;

/** Shows values of an index: times as ISO 8601, others as they are. */
export const shownIndex =
  (kind: QualityReport['index']['kind']) =>
  (value: number): number | string =>
    kind === 'time' ? new Date(value).toISOString() : value;

/** A report with times as ISO 8601, and steps of time in seconds. */
export function qualitySummary(report: QualityReport) {
  const { rows, index, duplicates, disorder, unplaced, gapCount, missing, uncheckedWells, uncheckedFields } =
    report;
  const isTime = index.kind === 'time';
  const place = shownIndex(index.kind);
  const orNull = (value: number | null): Place => (value === null ? null : place(value));
  const inUnit = (step: number | null): number | null => (isTime && step !== null ? step / 1000 : step);
  const hasWells = report.wells.length > 1 || report.gaps.some(({ well }) => well !== '');
  const range = ({ well, from, to }: Pick<QualityReport['gaps'][number], 'well' | 'from' | 'to'>) => ({
    ...(hasWells ? { well } : {}),
    from: place(from),
    to: place(to),
  });
  const marked = ({ well, at, value }: QualityReport['fields'][number]['spikePlaces'][number]) => ({
    ...(hasWells ? { well } : {}),
    at: place(at),
    value,
  });
  return {
    rows,
    index: {
      field: index.field,
      kind: index.kind,
      unit: index.unit,
      first: orNull(index.first),
      last: orNull(index.last),
      step: inUnit(index.step),
    },
    gaps: report.gaps.map((gap) => ({ ...range(gap), missing: gap.missing })),
    gapCount,
    missing,
    duplicates,
    disorder,
    unplaced,
    uncheckedWells,
    uncheckedFields,
    fields: report.fields.map((field) => ({
      name: field.name,
      unit: field.unit,
      nulls: field.nulls,
      tokens: field.tokens,
      flat: field.flat.map((flat) => ({ ...range(flat), records: flat.records, value: flat.value })),
      flatCount: field.flatCount,
      spikes: field.spikes,
      spikePlaces: field.spikePlaces.map(marked),
      uncheckedWells: field.uncheckedWells,
      outside: field.outside,
      outsidePlaces: field.outsidePlaces.map(marked),
      limits: field.limits,
      types: field.types,
      first: orNull(field.first),
      last: orNull(field.last),
      min: field.min,
      max: field.max,
    })),
    wells: report.wells.map((well) => ({
      ...well,
      first: orNull(well.first),
      last: orNull(well.last),
      step: inUnit(well.step),
    })),
  };
}

export interface QualityLimits {
  /** The longest gap, such as `10m`. */
  readonly maxGap: string | undefined;
  /** The highest share of records without a value in a field, 0 to 1. */
  readonly maxNulls: number | undefined;
}

/**
 * Sentences about the limits that a report exceeds.
 * @throws AppError `invalid_input` if the report can't be compared with the maximum gap
 */
export function exceededLimits(report: QualityReport, { maxGap, maxNulls }: QualityLimits): string[] {
  const { index, longest, fields, rows, absent = [] } = report;
  const isLimited = maxGap !== undefined || maxNulls !== undefined;
  if (isLimited && rows === 0) return ['No records to check.'];
  const exceeded = isLimited ? absent.map((well) => `No records to check (${well}).`) : [];
  const limit =
    maxGap === undefined || index.kind === 'rows' ? null : lengthOf(maxGap, index.kind, index.unit);
  if (maxGap !== undefined && limit === null)
    throw invalidInput(
      index.kind === 'rows'
        ? 'Without a time or depth, gaps aren’t checked. Leave out --max-gap.'
        : `“${maxGap}” isn’t a length of this index. Write ${index.kind === 'time' ? '30s or 10m' : 'a number in its unit'}.`,
      { field: 'max-gap' },
    );
  const place = shownIndex(index.kind);
  if (limit !== null && longest && !absent.includes(longest.well) && longest.to - longest.from > limit)
    exceeded.push(
      `Gap from ${place(longest.from)} to ${place(longest.to)}${longest.well === '' ? '' : ` (${longest.well})`}, longer than ${maxGap}.`,
    );
  if (maxNulls !== undefined)
    for (const { name, values } of fields) {
      const share = rows === 0 ? 0 : 1 - values / rows;
      if (share > maxNulls)
        exceeded.push(
          `${name} has no value in ${(100 * share).toFixed(1)}% of the records, more than ${100 * maxNulls}%.`,
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

/** A report as text. */
export function* qualityLines(report: QualityReport): Generator<string> {
  const { rows, index, gaps, gapCount, missing, duplicates, disorder, uncheckedWells, uncheckedFields } =
    qualitySummary(report);
  yield `rows: ${rows}`;
  if (index.first !== null)
    yield `index: ${index.field ?? 'row number'}, ${index.first} to ${index.last}, step ${index.step ?? 'irregular'} ${index.step === null ? '' : (index.unit ?? '')}`.trimEnd();
  yield `gaps: ${gapCount}, ${missing} records missing`;
  for (const gap of gaps.slice(0, maxListedGaps))
    yield `  ${gap.well ? `${gap.well}: ` : ''}${gap.from} to ${gap.to}, ${gap.missing ?? 'unknown'} missing`;
  if (gaps.length > maxListedGaps) yield `  … ${gapCount - maxListedGaps} more`;
  yield `repeated: ${duplicates}`;
  yield `out of order: ${disorder}`;
  if (uncheckedWells > 0) yield `only counted: ${uncheckedWells} wells`;
  if (uncheckedFields > 0) yield `not checked: ${uncheckedFields} fields`;
  const partly = report.fields.filter((field) => field.uncheckedWells > 0).length;
  if (partly > 0) yield `flat lines and spikes not checked in all wells: ${partly} fields`;
  yield '';
  yield* tableLines(
    fieldColumns.filter(({ name }) => partly > 0 || name !== 'wells not checked'),
    report.fields,
  );
}
