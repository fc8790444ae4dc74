import type { IndexKind } from '../../../shared/quality/report.ts';
import { likelyColumns } from '../../core/mapping/likely-columns.ts';
import { timeReader } from '../../core/mapping/times.ts';
import { isUnixFormat, unixUnit } from '../../core/mapping/unix-times.ts';
import type { ColumnFacts, JudgedType } from '../../core/tables/reading/column-facts.ts';
import type { FileCheckRequest } from './check-file.ts';

/** The column that orders the rows of a file. */
export interface FileIndex {
  readonly name: string;
  readonly column: number;
  readonly kind: Exclude<IndexKind, 'rows'>;
  readonly unit: string | null;
  /** The index of a cell; NaN: it has none. Times are Unix milliseconds; without a zone they are UTC. */
  readonly read: (cell: string) => number;
}

const readNumber = (cell: string): number => (cell === '' ? Number.NaN : Number(cell));

/** The format of a column of times; null: it has none. */
function timeFormat(facts: ColumnFacts, { type }: JudgedType): string | null {
  const { counts, patterns, compactTime } = facts;
  if (type === 'time') return counts.time >= counts.date ? 'iso' : (patterns?.[0] ?? null);
  if (type !== 'integer' || counts.integer === 0) return null;
  const unit = unixUnit(facts);
  return compactTime ?? (isUnixFormat(unit) ? unit : null);
}

const isNumeric = ({ type }: JudgedType): boolean => type === 'integer' || type === 'number';

/**
 * The index of a file: the one that its format names, else a column of times, else one of depths.
 * @returns null if it has none
 */
export function indexOfFile(
  { scan: { layout, columns }, facts }: Pick<FileCheckRequest, 'scan' | 'facts'>,
  types: readonly JudgedType[],
): FileIndex | null {
  const candidates = layout.columns.flatMap(({ key }, at) => {
    const [columnFacts, judged] = [columns[at], types[at]];
    return columnFacts && judged ? [{ key, type: judged.type, facts: columnFacts }] : [];
  });
  const named = facts.index
    ? layout.columns.findIndex(({ key, name }) => key === facts.index?.name || name === facts.index?.name)
    : -1;
  const [time] = likelyColumns('timestamp', candidates);
  // Of several depths, such as one in feet and one in meters, the first orders the file.
  const [first] = candidates.filter(({ key }) => likelyColumns('measured_depth', candidates).includes(key));
  const isFirst = first?.key === layout.columns[0]?.key;
  const depth = isFirst ? first?.key : likelyColumns('measured_depth', candidates)[0];
  const keys = [
    named >= 0 ? layout.columns[named]?.key : undefined,
    ...(isFirst ? [depth, time] : [time, depth]),
  ];
  for (const key of keys) {
    const column =
      key === undefined ? -1 : layout.columns.findIndex((layoutColumn) => layoutColumn.key === key);
    const index = column < 0 ? null : indexAt(column, key === depth || facts.index?.kind === 'depth');
    if (index) return index;
  }
  return null;

  function indexAt(column: number, isDepth: boolean): FileIndex | null {
    const [columnFacts, judged, head] = [columns[column], types[column], layout.columns[column]];
    if (!columnFacts || !judged || !head) return null;
    const format = timeFormat(columnFacts, judged);
    if (format !== null) {
      const readTime = timeReader(format, 'UTC');
      const read = (cell: string): number => {
        const time = readTime(cell);
        return typeof time === 'object' ? time.ms : Number.NaN;
      };
      return { name: head.key, column, kind: 'time', unit: 's', read };
    }
    if (!isNumeric(judged)) return null;
    const unit = head.unit ?? facts.index?.unit ?? null;
    return { name: head.key, column, kind: isDepth ? 'depth' : 'number', unit, read: readNumber };
  }
}
