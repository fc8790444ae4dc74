import type { PlotRecords } from './lines.ts';
import { csvCell } from '../../../shared/csv.ts';
import { valueOrNaN } from '../../../shared/upload/null-tokens.ts';
import type { Range } from './thin.ts';

export interface CsvHeads {
  readonly x: string;
  /** Heading of the column of groups; absent: there is one group. */
  readonly group?: string | undefined;
  /** The names of the groups in the plot, as they are shown. */
  readonly groups: readonly string[];
  readonly y: readonly string[];
  /** x is Unix milliseconds, written as ISO 8601 in UTC. */
  readonly time: boolean;
}

const rowsPerPart = 10_000;

const numberText = (value = Number.NaN): string => (Number.isNaN(valueOrNaN(value)) ? '' : String(value));

function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

/**
 * The data of a plot as CSV: every record of its groups that has a position on it, not downsampled, in the order of the records. Null
 * values are blank.
 * @param part of the axis; null: all of it
 */
export function csvOf(
  { x, codes, shown }: Pick<PlotRecords, 'x' | 'codes' | 'shown'>,
  y: readonly PlotRecords['x'][],
  heads: CsvHeads,
  part: Range | null,
): Blob {
  const named = heads.group === undefined ? [] : [heads.group];
  const parts = [`${[...named, heads.x, ...heads.y].map(csvCell).join(',')}\r\n`];
  const names = new Map(shown.map((code, group) => [code, csvCell(heads.groups[group] ?? '')]));
  let lines: string[] = [];
  for (let row = 0; row < x.length; row += 1) {
    const along = valueOrNaN(x[row] ?? Number.NaN);
    const group = names.get(codes?.[row] ?? 0);
    if (group === undefined || Number.isNaN(along)) continue;
    if (part && (along < part.from || along > part.to)) continue;
    let line = heads.group === undefined ? '' : `${group},`;
    line += heads.time ? timeText(along) : String(along);
    for (const values of y) line += `,${numberText(values[row])}`;
    lines.push(line);
    if (lines.length === rowsPerPart) {
      parts.push(`${lines.join('\r\n')}\r\n`);
      lines = [];
    }
  }
  if (lines.length > 0) parts.push(`${lines.join('\r\n')}\r\n`);
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}
