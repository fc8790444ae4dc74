import { defaultExceptionShare } from '../../../shared/upload/null-tokens.ts';
import type { ColumnFacts, ColumnType, Example, NumberStyle } from './column-facts.ts';
import type { CellKind } from './cells.ts';

const points: NumberStyle = { decimal: '.', thousands: false };
const commas: NumberStyle = { decimal: ',', thousands: false };
const groups: NumberStyle = { decimal: '.', thousands: true };

type Counts = ColumnFacts['counts'];

/** A possible type of a column, and the kinds of cells that fit it. */
interface Candidate {
  readonly type: ColumnType['type'];
  readonly style: NumberStyle;
  readonly fits: readonly CellKind[];
}

/** The possible types of a column; of those that fit equally many cells, the first wins. */
function candidates(counts: Counts, delimiter: string): Candidate[] {
  const whole = counts.number === 0 ? 'integer' : 'number';
  const byPoints: Candidate = { type: whole, style: points, fits: ['integer', 'number'] };
  const byCommas: Candidate = {
    type: 'number',
    style: commas,
    fits: ['integer', 'comma_number', 'comma_ambiguous'],
  };
  const byGroups: Candidate = {
    type: 'number',
    style: groups,
    fits: ['integer', 'number', 'thousands', 'comma_ambiguous'],
  };
  const isComma = counts.comma_number > 0 || delimiter !== ',';
  return [
    byPoints,
    ...(isComma ? [byCommas, byGroups] : [byGroups, byCommas]),
    { type: 'time', style: points, fits: counts.time >= counts.date ? ['time'] : ['date'] },
    { type: 'boolean', style: points, fits: ['boolean'] },
  ];
}

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
 * Determines a column's type from all of its cells, without nulls.
 * @param delimiter of the file: if it isn't a comma, a single group such as 1,338 is a decimal
 * @param exceptionShare maximum share of values, from 0 to 1, that can differ without changing the type; 0: none
 */
export function columnType(
  { counts, firsts }: Pick<ColumnFacts, 'counts' | 'firsts'>,
  delimiter: string,
  exceptionShare = defaultExceptionShare,
): JudgedType {
  const values =
    Object.values(counts).reduce((total, count) => total + count, 0) - counts.empty - counts.null_word;
  const judged = { exceptions: 0, exception: null, values };
  if (values === 0) return { type: 'empty', style: points, ...judged };
  const best = candidates(counts, delimiter).reduce((first, next) =>
    sum(counts, next.fits) > sum(counts, first.fits) ? next : first,
  );
  const { type, style, fits } = best;
  const others = values - sum(counts, fits);
  if (others === 0) return { type, style, ...judged };
  // Numbers among codes are codes too.
  const isCode = type === 'integer' && counts.code + counts.label > 0;
  if (isCode || others >= values * exceptionShare) return { type: 'string', style: points, ...judged };
  // Leading zeros before a number with decimals have no meaning.
  const fitting: readonly CellKind[] = type === 'number' ? [...fits, 'code'] : fits;
  return {
    type,
    style,
    exceptions: values - sum(counts, fitting),
    exception: firstOther(firsts, fitting),
    values,
  };
}

/** The first value of a kind that doesn't fit. */
function firstOther(firsts: ColumnFacts['firsts'], fits: readonly CellKind[]): Example | null {
  const passed: ReadonlySet<string> = new Set<CellKind>([...fits, 'empty', 'null_word']);
  const others = Object.entries(firsts).flatMap(([kind, first]) => (passed.has(kind) ? [] : [first]));
  return others.reduce<Example | null>((first, one) => (first && first.line <= one.line ? first : one), null);
}

/** The first cell that prevents a mostly numeric column from being numeric, often a typing error, with the count. */
export function counterExample({
  counts,
  firsts,
}: Pick<ColumnFacts, 'counts' | 'firsts'>): (Example & { readonly count: number }) | null {
  const numbers =
    counts.integer + counts.number + counts.comma_number + counts.comma_ambiguous + counts.thousands;
  const others = counts.text + counts.label + counts.time + counts.date + counts.boolean;
  if (numbers === 0 || others === 0 || others > numbers / 10) return null;
  const first = firsts.text ?? firsts.label ?? firsts.time ?? firsts.date ?? firsts.boolean;
  return first ? { ...first, count: others } : null;
}

/**
 * The facts of a column whose values are text according to the file, although some look like numbers. Times stay times.
 */
export function asTexts(facts: ColumnFacts): ColumnFacts {
  const { integer, number, comma_number, comma_ambiguous, thousands, boolean, text } = facts.counts;
  const { integer: whole, number: fraction, boolean: truth } = facts.firsts;
  const first = facts.firsts.text ?? whole ?? fraction ?? truth;
  return {
    ...facts,
    counts: {
      ...facts.counts,
      integer: 0,
      number: 0,
      comma_number: 0,
      comma_ambiguous: 0,
      thousands: 0,
      boolean: 0,
      text: text + integer + number + comma_number + comma_ambiguous + thousands + boolean,
    },
    firsts: { ...facts.firsts, ...(first ? { text: first } : {}) },
  };
}
