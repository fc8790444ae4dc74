import { defaultExceptionShare } from '../../../../shared/upload/null-tokens.ts';
import type { ColumnFacts, ColumnType, NumberStyle } from './column-facts.ts';
import { areExceptions } from './exceptions.ts';
import type { Example } from './time-range.ts';
import type { CellKind } from './cells.ts';

const points: NumberStyle = { decimal: '.', thousands: false };
const commas: NumberStyle = { decimal: ',', thousands: false };
const groups: NumberStyle = { decimal: '.', thousands: true };
const pointGroups: NumberStyle = { decimal: ',', thousands: true };

type Counts = ColumnFacts['counts'];

/** How the numbers of a file are written. */
export interface Notation {
  readonly delimiter: string;
  /** The decimal sign that its columns prove; null: none, or both. */
  readonly decimal: '.' | ',' | null;
}

type TypeFacts = Pick<ColumnFacts, 'counts' | 'firsts'> &
  Partial<Pick<ColumnFacts, 'pointGroups' | 'pointNulls'>>;

/** Numbers with a point whose meaning is certain: neither a group of three digits nor a null value. */
const pointNumbers = ({ counts, pointGroups: inGroups = 0, pointNulls = 0 }: TypeFacts): number =>
  counts.number - inGroups - pointNulls;

/** The notation of the numbers in a file, from all of its columns: one column can prove what another leaves open. */
export function notationOf(columns: readonly TypeFacts[], delimiter: string): Notation {
  const hasPoints = columns.some(
    (facts) => facts.counts.thousands > 0 || (pointNumbers(facts) > 0 && commaNumbers(facts) === 0),
  );
  const hasCommas = columns.some((facts) => commaNumbers(facts) > 0 && pointNumbers(facts) === 0);
  return { delimiter, decimal: hasPoints === hasCommas ? null : hasPoints ? '.' : ',' };
}

const commaNumbers = ({ counts }: TypeFacts): number => counts.comma_number + counts.point_thousands;

interface Candidate {
  readonly type: ColumnType['type'];
  readonly style: NumberStyle;
  readonly fits: readonly CellKind[];
}

/** The possible types of a column; of those that fit equally many cells, the first wins. */
function candidates(facts: TypeFacts, { delimiter, decimal }: Notation): Candidate[] {
  const { counts, pointGroups: inGroups = 0 } = facts;
  const whole = counts.number === 0 ? 'integer' : 'number';
  const byPoints: Candidate = { type: whole, style: points, fits: ['integer', 'number'] };
  const hasCommas = commaNumbers(facts) > 0;
  // 1.338 is a thousand where commas are decimal, and -999.25 means null in any notation.
  const fitsPoints = (hasCommas || decimal === ',') && counts.number > 0 && pointNumbers(facts) === 0;
  const byCommas: Candidate = {
    type: 'number',
    style: inGroups + counts.point_thousands > 0 ? pointGroups : commas,
    fits: [
      'integer',
      'comma_number',
      'comma_ambiguous',
      'point_thousands',
      ...(fitsPoints ? (['number'] as const) : []),
    ],
  };
  const byGroups: Candidate = {
    type: 'number',
    style: groups,
    fits: ['integer', 'number', 'thousands', 'comma_ambiguous'],
  };
  const isComma = hasCommas || (decimal === null ? delimiter !== ',' : decimal === ',');
  return [
    ...(fitsPoints && inGroups > 0 ? [byCommas] : []),
    byPoints,
    ...(isComma ? [byCommas, byGroups] : [byGroups, byCommas]),
    { type: 'time', style: points, fits: counts.time >= counts.date ? ['time'] : ['date'] },
    { type: 'boolean', style: points, fits: ['boolean'] },
  ];
}

/** Number of values, without nulls. */
export const valueCount = (counts: Counts): number =>
  Object.values(counts).reduce((total, count) => total + count, 0) - counts.empty - counts.null_word;

const sum = (counts: Counts, kinds: readonly CellKind[]): number =>
  kinds.reduce((total, kind) => total + counts[kind], 0);

/** A column's type with the values that don't fit it. */
export interface JudgedType extends ColumnType {
  /** Number of values that don't fit the type: their rows are rejected. */
  readonly exceptions: number;
  /** The first of them. */
  readonly exception: Example | null;
  /** Number of values, without nulls. */
  readonly values: number;
}

/**
 * Determines a column's type from all of its cells, without nulls. A single short value that differs
 * never makes a column text: it is a typing error, or means null.
 * @param notation of the file: where it proves none, a single group such as 1,338 is a decimal unless a comma is the delimiter
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing the type; 0: none
 */
export function columnType(
  facts: TypeFacts,
  notation: Notation,
  exceptionShare = defaultExceptionShare,
): JudgedType {
  const { counts, firsts } = facts;
  const values = valueCount(counts);
  const judged = { exceptions: 0, exception: null, values };
  if (values === 0) return { type: 'empty', style: points, ...judged };
  const best = candidates(facts, notation).reduce((first, next) =>
    sum(counts, next.fits) > sum(counts, first.fits) ? next : first,
  );
  const { type, style, fits } = best;
  const exceptions = values - sum(counts, fits);
  if (exceptions === 0) return { type, style, ...judged };
  // Numbers among codes are codes too.
  const isCode = type === 'integer' && counts.code + counts.label > 0;
  // Leading zeros before a number with decimals have no meaning.
  const fitting: readonly CellKind[] = type === 'number' ? [...fits, 'code'] : fits;
  const exception = firstOther(firsts, fitting);
  if (isCode || !areExceptions(exceptions, exception, values, exceptionShare))
    return { type: 'string', style: points, ...judged };
  return { type, style, exceptions: values - sum(counts, fitting), exception, values };
}

/** The first value of a kind that doesn't fit. */
function firstOther(firsts: ColumnFacts['firsts'], fits: readonly CellKind[]): Example | null {
  const passed: ReadonlySet<string> = new Set<CellKind>([...fits, 'empty', 'null_word']);
  const exceptions = Object.entries(firsts).flatMap(([kind, first]) => (passed.has(kind) ? [] : [first]));
  return exceptions.reduce<Example | null>(
    (first, example) => (first && first.line <= example.line ? first : example),
    null,
  );
}

/** Kinds of cells that can be text as well; codes and labels always are. */
const plainKinds = [
  'integer',
  'number',
  'comma_number',
  'comma_ambiguous',
  'thousands',
  'point_thousands',
  'boolean',
] as const;

/**
 * The facts of a column whose values are text according to the file, although some look like numbers. Times stay times.
 */
export function asTexts(facts: ColumnFacts): ColumnFacts {
  const counts = { ...facts.counts };
  let first = facts.firsts.text;
  for (const kind of plainKinds) {
    counts.text += counts[kind];
    counts[kind] = 0;
    first ??= facts.firsts[kind];
  }
  const firsts = { ...facts.firsts, ...(first ? { text: first } : {}) };
  return { ...facts, counts, firsts, pointGroups: 0, pointNulls: 0, compactTime: null };
}
