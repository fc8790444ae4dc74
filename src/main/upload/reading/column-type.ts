import type { ColumnFacts, ColumnType, Example, NumberStyle } from './column-facts.ts';

const points: NumberStyle = { decimal: '.', thousands: false };

/**
 * Judges a column's type by all of its cells. A null word is no cell of a number, time or truth column; in a column
 * of text it is text.
 * @param delimiter of the file: where it is no comma, a lone group such as 1,338 reads as a decimal
 */
export function columnType({ counts }: Pick<ColumnFacts, 'counts'>, delimiter: string): ColumnType {
  const texts = counts.text + counts.code;
  const numbers = counts.integer + counts.number;
  const commas = counts.comma_number + counts.comma_ambiguous;
  const times = counts.time + counts.date;
  const whole = (type: ColumnType['type'], style = points): ColumnType => ({ type, style });

  if (texts > 0) return whole('string');
  if (numbers + commas + counts.thousands === 0) {
    if (times === 0 && counts.boolean === 0) return whole('empty');
    if (times === 0) return whole('boolean');
    return whole(counts.boolean > 0 || (counts.time > 0 && counts.date > 0) ? 'string' : 'time');
  }
  if (times > 0 || counts.boolean > 0) return whole('string');
  if (commas + counts.thousands === 0) return whole(counts.number > 0 ? 'number' : 'integer');
  if (counts.thousands === 0 && counts.number === 0 && (counts.comma_number > 0 || delimiter !== ','))
    return whole('number', { decimal: ',', thousands: false });
  if (counts.comma_number > 0) return whole('string');
  return whole('number', { decimal: '.', thousands: true });
}

/** The first cell that keeps a mostly numeric column from being one: worth a word, because it is often a slip. */
export function counterExample({ counts, firsts }: Pick<ColumnFacts, 'counts' | 'firsts'>): Example | null {
  const numbers =
    counts.integer + counts.number + counts.comma_number + counts.comma_ambiguous + counts.thousands;
  const others = counts.text + counts.time + counts.date + counts.boolean;
  if (numbers === 0 || others === 0 || others > numbers / 10) return null;
  return firsts.text ?? firsts.time ?? firsts.date ?? firsts.boolean ?? null;
}

/** The facts of a column whose values are texts by what the file says, although some look like numbers. Times stay times. */
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
