import type { RawLine } from '../../../../../shared/upload/preview.ts';
import { edgesOfGaps } from './fixed-width.ts';
import { isRemark, isRule } from './listing-lines.ts';
import type { ListingLayout, SampleLine } from './listing-lines.ts';

/** Number of lines that are shown, and the characters of each. */
const maxLines = 60;
const maxLength = 500;

/** What a line of a listing is read as. */
function kindOf({ text, number }: SampleLine, layout: ListingLayout): RawLine['kind'] {
  const { nameLines, unitLine, firstRowLine, repeated } = layout;
  if (nameLines.some((line) => line.number === number)) return 'header';
  if (number === unitLine) return 'units';
  if (text.trim() === '') return 'blank';
  if (number < firstRowLine || isRule(text) || repeated.has(text.trim())) return 'left_out';
  return isRemark(text) ? 'comment' : 'row';
}

/** The first lines of a listing, with tabs expanded, so that column edges are positions in them. */
export const rawLines = (layout: ListingLayout, lines: readonly SampleLine[]): RawLine[] =>
  lines.slice(0, maxLines).map((line) => ({
    line: line.number,
    text: line.text.slice(0, maxLength),
    cut: line.text.length > maxLength,
    ending: 'none',
    kind: kindOf(line, layout),
  }));

/**
 * The positions between the columns, in characters from the start of a line. Of columns that blanks separate, the
 * positions that are blank in all lines.
 * @returns null if these don't give the same columns
 */
export function edgePositions(layout: ListingLayout, lines: readonly SampleLine[]): number[] | null {
  const rows = lines.filter((line) => kindOf(line, layout) === 'row');
  const headers = [...layout.nameLines, ...lines.filter(({ number }) => number === layout.unitLine)];
  const count = layout.columns.length;
  const edges =
    layout.edges ??
    [edgesOfGaps([...headers, ...rows], 1), edgesOfGaps(rows, 1), edgesOfGaps(rows)].find(
      ({ length }) => length === count,
    );
  return edges ? edges.slice(1).map(({ start }) => start) : null;
}
