import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { areMostlyUnits } from '../../reading/header-rows.ts';
import { maxColumns } from '../../reading/layout.ts';
import { column } from '../row-spans.ts';
import { cutAtEdges, edgesBetween, type ColumnEdge } from './column-edges.ts';
import { isRemark, isRule, isValue, type ListingLayout, type SampleLine } from './listing-lines.ts';

/** Edges from a rule with gaps: each group of dashes is a column that reaches to the next group. */
export function edgesOfRule(rule: string): ColumnEdge[] {
  const starts = [...rule.matchAll(/[=_*~-]+/g)].map(({ index }) => index);
  return edgesBetween(starts.slice(1));
}

/**
 * Edges after gaps: character positions that are blank in all lines.
 * @param minWidth of a gap, in characters
 */
export function edgesOfGaps(lines: readonly SampleLine[], minWidth: 1 | 2 = 2): ColumnEdge[] {
  const isFilled: boolean[] = [];
  for (const { text } of lines)
    for (let at = 0; at < text.length; at++)
      isFilled[at] = isFilled[at] === true || text.charCodeAt(at) > 0x20;
  const width = isFilled.lastIndexOf(true) + 1;
  const starts: number[] = [];
  for (let at = 0; at < width; at++) {
    const isAfterGap =
      starts.length === 0 || (isFilled[at - 1] !== true && (minWidth === 1 || isFilled[at - 2] !== true));
    if (isFilled[at] === true && isAfterGap) starts.push(at);
  }
  return edgesBetween(starts.slice(1));
}

/** The layout of a fixed-width listing: the edges are those of a rule, else of positions that are blank in all rows. */
export function fixedLayout(lines: readonly SampleLine[]): ListingLayout | null {
  const ruleAt = lines.findIndex(({ text }) => isRule(text) && edgesOfRule(text).length > 1);
  const rule = lines[ruleAt];
  const shown = lines.filter(({ text }) => text.trim() !== '' && !isRule(text) && !isRemark(text));
  const block = rule
    ? shown.filter(({ number }) => number > rule.number)
    : withNames(longestBlock(lines), shown);
  const edges = rule ? edgesOfRule(rule.text) : edgesOfGaps(block);
  if (edges.length < 2 || edges.length > maxColumns || block.length < 2) return null;
  const above = rule ? linesAbove(lines, ruleAt) : block.slice(0, 1);
  const headerLine = above[0];
  if (!headerLine) return null;
  // Names on several lines, such as `Measured` above `Depth`, are one name.
  const names = edges.map((edge) =>
    above
      .flatMap(({ text }) => cutAtEdges(text, [edge]))
      .filter((word) => word !== '')
      .join(' '),
  );
  const isHeader = rule !== undefined || !names.some(isValue);
  const rows = rule || !isHeader ? block : block.slice(1);
  const units = rows[0] && isHeader ? cutAtEdges(rows[0].text, edges) : [];
  const hasUnits = units.length > 0 && areMostlyUnits(units) && !units.some(isValue);
  const first = rows[hasUnits ? 1 : 0];
  if (!first || !rows.some(({ text }) => cutAtEdges(text, edges).some(isValue))) return null;
  return {
    columns: edges.map((_, at) =>
      column(isHeader ? (names[at] ?? '') : '', hasUnits ? withoutBrackets(units[at] ?? '') : null),
    ),
    headerLine: isHeader ? headerLine.number : 0,
    nameLines: isHeader ? above : [],
    unitLine: hasUnits ? (rows[0]?.number ?? null) : null,
    firstRowLine: first.number,
    edges,
    repeated: new Set(
      (isHeader ? [...above, ...(hasUnits && rows[0] ? [rows[0]] : [])] : []).map(({ text }) => text.trim()),
    ),
    nulls: [],
  };
}

/** A block with the line above it, if a blank line separates them and that line names the columns of the block. */
function withNames(block: SampleLine[], shown: readonly SampleLine[]): SampleLine[] {
  const first = block[0];
  const above = shown.findLast(({ number }) => first !== undefined && number < first.number);
  if (!above) return block;
  const all = [above, ...block];
  const edges = edgesOfGaps(all);
  const names = cutAtEdges(above.text, edges);
  const isSame = edges.length === edgesOfGaps(block).length;
  return isSame && names.every((name) => name !== '' && !isValue(name)) ? all : block;
}

/** The lines directly above a line, at most four. */
function linesAbove(lines: readonly SampleLine[], at: number): SampleLine[] {
  let start = at;
  while (start > 0 && at - start < 4 && lines[start - 1]?.text.trim() !== '') start--;
  return lines.slice(start, at).filter(({ text }) => !isRule(text) && !isRemark(text));
}

/** The longest run of lines without a blank line. */
function longestBlock(lines: readonly SampleLine[]): SampleLine[] {
  let longest: SampleLine[] = [];
  let current: SampleLine[] = [];
  for (const line of lines) {
    if (line.text.trim() === '') current = [];
    else if (!isRule(line.text) && !isRemark(line.text)) current.push(line);
    if (current.length > longest.length) longest = current;
  }
  return longest;
}
