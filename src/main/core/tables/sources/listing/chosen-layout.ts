import { withoutBrackets } from '../../../../../shared/channels/brackets.ts';
import { countInWords } from '../../../../../shared/lists.ts';
import { areMostlyUnits } from '../../layout/model.ts';
import { chosenRow } from '../../reading/layout.ts';
import { column } from '../several-tables.ts';
import type { OpenOptions } from '../source.ts';
import { cutAtEdges, edgesBetween, type ColumnEdge } from './column-edges.ts';
import { cellsOf } from './listing-layout.ts';
import {
  isRemark,
  isRule,
  isValue,
  sampleLines,
  type ListingLayout,
  type SampleLine,
} from './listing-lines.ts';

type Choice = Pick<OpenOptions, 'columnEdges' | 'headerRow' | 'unitRow'>;

/** A table from the first line on, for edges in a file that isn't one without them. */
const plainLayout: ListingLayout = {
  columns: [],
  headerLine: 0,
  nameLines: [],
  unitLine: null,
  firstRowLine: 1,
  edges: null,
  repeated: new Set(),
  nulls: [],
};

type HeaderLines = Pick<ListingLayout, 'headerLine' | 'nameLines' | 'unitLine' | 'firstRowLine'>;

/**
 * The layout with what the user chose in place of what was detected: column edges, the line of the names, and the line
 * of the units.
 * @returns null if neither the file nor the user says what its columns are
 * @throws AppError invalid_input for a line that the file, or its searched part, doesn't have
 */
export function withChosenLayout(
  detected: ListingLayout | null,
  lines: readonly SampleLine[],
  choice: Choice,
): ListingLayout | null {
  const { columnEdges, headerRow, unitRow } = choice;
  if (columnEdges === undefined && headerRow === undefined && unitRow === undefined) return detected;
  const base = detected ?? (columnEdges ? plainLayout : null);
  if (!base) return null;
  const edges = columnEdges ? edgesBetween(columnEdges) : base.edges;
  const count = edges?.length ?? base.columns.length;
  const isNameless = edges !== null && headerRow === undefined && base.headerLine === 0;
  const layout = isNameless ? headerOver(base, lines, edges) : base;
  const header = chosenHeader(layout, lines, choice);
  const units = header.unitLine === null ? undefined : lines[header.unitLine - 1];
  // Petrel lists the names on lines of their own.
  const isListed = headerRow === undefined && header.headerLine > 0 && header.nameLines.length === 0;
  return {
    ...base,
    ...header,
    columns:
      isListed && base.columns.length === count
        ? base.columns
        : columnsOf(header.nameLines, units, (text) => cellsOf(text, { count, edges }), count),
    edges,
    isExact: columnEdges !== undefined,
    repeated: new Set([...header.nameLines, ...(units ? [units] : [])].map(({ text }) => text.trim())),
  };
}

/** Names and units in the lines above the first row, or in that line itself, which these edges separate. */
function headerOver(
  base: ListingLayout,
  lines: readonly SampleLine[],
  edges: readonly ColumnEdge[],
): HeaderLines {
  const wordsOf = ({ text }: SampleLine): string[] => cutAtEdges(text, edges);
  const isHeader = (line: SampleLine): boolean =>
    wordsOf(line).every((name) => name !== '' && !isValue(name));
  const above = lines
    .slice(0, base.firstRowLine)
    .filter((line) => line.text.trim() !== '' && !isRule(line.text) && !isRemark(line.text))
    .filter((line) => line.number < base.firstRowLine || isHeader(line))
    .slice(-2);
  const last = above.at(-1);
  const isUnits = last !== undefined && above.length > 1 && areMostlyUnits(wordsOf(last));
  const names = isUnits ? above[0] : last;
  if (!names || !last || !isHeader(names)) return base;
  return {
    headerLine: names.number,
    nameLines: [names],
    unitLine: isUnits ? last.number : null,
    firstRowLine: Math.max(base.firstRowLine, last.number + 1),
  };
}

/** Checks that there is a line that the user set. @throws AppError invalid_input */
function checkLine(lines: readonly SampleLine[], line: number | undefined, what: 'header' | 'unit'): void {
  if (line === undefined || line === 0) return;
  const range =
    lines.length < sampleLines
      ? `the file has ${countInWords(lines.length, 'line', 'lines')}`
      : `only the first ${sampleLines} lines are searched`;
  chosenRow(lines[line - 1], what, `on line ${line} (${range})`);
}

/** The lines that the user set, in place of the others. Without a header, its line is a row too. */
function chosenHeader(
  detected: HeaderLines,
  lines: readonly SampleLine[],
  { headerRow, unitRow }: Choice,
): HeaderLines {
  if (headerRow === undefined && unitRow === undefined) return detected;
  checkLine(lines, headerRow, 'header');
  checkLine(lines, unitRow, 'unit');
  const headerLine = headerRow ?? detected.headerLine;
  const unitLine =
    unitRow ?? (detected.unitLine !== null && detected.unitLine > headerLine ? detected.unitLine : 0);
  const lastLine = Math.max(headerLine, unitLine);
  return {
    headerLine,
    nameLines:
      headerRow === undefined ? detected.nameLines : lines.slice(Math.max(0, headerRow - 1), headerRow),
    unitLine: unitLine === 0 ? null : unitLine,
    firstRowLine: lastLine > 0 ? lastLine + 1 : (detected.nameLines[0]?.number ?? detected.firstRowLine),
  };
}

function columnsOf(
  nameLines: readonly SampleLine[],
  units: SampleLine | undefined,
  wordsOf: (text: string) => string[],
  count: number,
): ListingLayout['columns'] {
  const names = nameLines.map(({ text }) => wordsOf(text));
  const unitTexts = units ? wordsOf(units.text).map(withoutBrackets) : [];
  return Array.from({ length: count }, (_, at) => {
    const words = names.map((line) => line[at] ?? '').filter((word) => word !== '');
    return column(words.join(' '), unitTexts[at]);
  });
}
