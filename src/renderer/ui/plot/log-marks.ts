/** The marks that a range of less than a decade has at most. */
const maxMarks = 7;

/**
 * The digits that are labelled in a decade, the first of these with enough space for its texts; `minGap` is the share of
 * the decade between the closest two.
 */
const labelled = [
  { digits: [1, 2, 3, 4, 5, 6, 7, 8, 9], minGap: Math.log10(10 / 9) },
  { digits: [1, 2, 3, 5, 7], minGap: Math.log10(7 / 5) },
  { digits: [1, 2, 5], minGap: Math.log10(2) },
];

/** The power of ten at or below a value; logarithms of 1,000 and others have errors in their last digit. */
const decadeOf = (value: number): number => Math.floor(Math.log10(value) + 1e-9);

const isPartOfDecade = (from: number, to: number): boolean => to / from < 10;

/** Without the errors of calculation in the last digits. */
const cleaned = (value: number): number => Number(value.toPrecision(12));

/**
 * The marks of a logarithmic axis: 1 to 9 in each decade, or equal round steps in less than one decade.
 * @param from the lowest value in view, above 0
 * @param to the highest value in view
 * @returns round values between them; the library's own begin at the lowest value, which isn't round
 */
export function logMarks(from: number, to: number): number[] {
  if (isPartOfDecade(from, to)) {
    const rough = (to - from) / maxMarks;
    const unit = 10 ** decadeOf(rough);
    const step = ([1, 2, 5].find((digit) => digit * unit >= rough) ?? 10) * unit;
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(Math.floor(to / step) - first + 1, 0) }, (_, at) =>
      cleaned((first + at) * step),
    );
  }
  const marks: number[] = [];
  for (let decade = decadeOf(from); decade <= decadeOf(to); decade += 1)
    for (let digit = 1; digit < 10; digit += 1) {
      const mark = cleaned(digit * 10 ** decade);
      if (mark >= from && mark <= to) marks.push(mark);
    }
  return marks;
}

/**
 * Selects the marks that have a text.
 * @param marks of {@link logMarks}, between the ends of the axis
 * @param axis its ends, and its length and the space of a text in pixels
 * @returns the marks; null: without a text
 */
export function labelledLogMarks(
  marks: readonly number[],
  axis: { readonly from: number; readonly to: number; readonly length: number; readonly space: number },
): (number | null)[] {
  const { from, to, length, space } = axis;
  const decade = length / Math.log10(to / from);
  if (isPartOfDecade(from, to)) {
    let last: number | null = null;
    return marks.map((mark) => {
      if (last !== null && Math.log10(mark / last) * decade < space) return null;
      last = mark;
      return mark;
    });
  }
  const digits = labelled.find(({ minGap }) => minGap * decade >= space)?.digits ?? [1];
  const every = Math.max(Math.ceil(space / decade), 1);
  return marks.map((mark) => {
    const power = decadeOf(mark);
    return digits.includes(Math.round(mark / 10 ** power)) && power % every === 0 ? mark : null;
  });
}
