import { valueUnder } from '../../../shared/json.ts';
import type { TargetKind } from '../../../shared/upload/preview.ts';
import { isRejectColumn } from '../../../shared/upload/templates.ts';
import type { UploadProblem } from '../../../shared/upload/result.ts';
import type { ProblemCode } from '../../../shared/upload/warnings.ts';

/** The envelope of a record (specification, section 2.1), in the order of writing. */
const envelope: Readonly<Record<string, TargetKind>> = {
  asset_id: 'asset',
  company_id: 'integer',
  version: 'integer',
  timestamp: 'timestamp',
  measured_depth: 'number',
  log_identifier: 'identifier',
  stage_number: 'integer',
  datetime: 'datetime',
};

/** Fields that the service sets: dropped, so that an exported file can be uploaded again. */
const serversOwn: ReadonlySet<string> = new Set(['_id', 'provider', 'collection']);

/** The key in a rejects file of JSON lines for a line that isn't an object. */
export const rejectedText = 'rejected_text';

/** Whether a column of an export or a rejects file is never uploaded. */
export const isDropped = (name: string): boolean =>
  serversOwn.has(name) || name === rejectedText || isRejectColumn(name);

export const envelopeFields: readonly string[] = Object.keys(envelope);

interface Target {
  readonly path: readonly string[];
  readonly kind: TargetKind;
}

const badSegment = (segment: string): boolean =>
  segment.trim() === '' || segment.startsWith('$') || segment.includes('\0');

/** The path for a target; a string explains why it is invalid. */
export function parseTarget(to: string): Target | string {
  const kind = valueUnder(envelope, to);
  if (kind) return { path: [to], kind };
  if (serversOwn.has(to)) return `${to} is set by the service and can't be uploaded`;
  const path = to.split('.');
  const [root] = path;
  if ((root !== 'data' && root !== 'metadata') || path.length < 2)
    return `“${to}” isn't a record field; use ${envelopeFields.join(', ')}, metadata.<name> or data.<name>`;
  if (path.some(badSegment)) return `“${to}” isn't a valid path: a part is empty or begins with $`;
  if (to === 'metadata.asset_id') return { path, kind: 'asset' };
  if (to === 'metadata.company_id') return { path, kind: 'integer' };
  return { path, kind: 'auto' };
}

/** Whether a column with this name is mapped to the path of the same name by default. */
export const mapsToItself = (name: string): boolean =>
  Object.hasOwn(envelope, name) ||
  ((name.startsWith('data.') || name.startsWith('metadata.')) && typeof parseTarget(name) !== 'string');

/**
 * The path under `data` for names of a file. Dots in a name, which stand for nested fields in queries, and a leading $,
 * which is that of operators, become underscores.
 */
export function restPath(names: readonly string[]): string[] {
  const path = names.map((name) => name.replaceAll('.', '_').replace(/^\$/, '_').replaceAll('\0', ''));
  const [root = '', ...inner] = path;
  return inner.length > 0 && (root === 'data' || root === 'metadata') ? path : ['data', ...path];
}

/** Why a row isn't sent. `column` is the name in the file; null: the whole row. */
export interface CellProblem {
  readonly code: ProblemCode;
  readonly column: string | null;
  readonly message: string;
  /** The cell's text, if the cell is the cause and short enough to show. */
  readonly cell?: string;
}

/** A problem and the place of its row in the file. */
export interface RowProblem extends CellProblem {
  readonly line: number;
}

const quoteCell = (cell: string): string => `“${cell.length > 60 ? `${cell.slice(0, 60)}…` : cell}”`;

const words: Record<ProblemCode, (cell: string) => string> = {
  not_a_number: (cell) => `${quoteCell(cell)} is not a number.`,
  too_large_number: (cell) => `${quoteCell(cell)} is outside the range of numbers, ±1.8e308.`,
  not_an_integer: (cell) => `${quoteCell(cell)} is not a whole number.`,
  not_a_boolean: (cell) => `${quoteCell(cell)} isn't true or false.`,
  not_a_time: (cell) => `${quoteCell(cell)} doesn't match the time format of its column.`,
  time_in_gap: (cell) =>
    `${quoteCell(cell)} doesn't exist in its time zone, because of daylight saving time.`,
  excel_damage: (cell) => `${quoteCell(cell)} has lost digits in a spreadsheet. Export the column as text.`,
  asset_unknown: (cell) => `${quoteCell(cell)} doesn't match a well.`,
  not_an_asset_id: (cell) => `${quoteCell(cell)} isn't an asset ID.`,
  missing_value: (cell) => `The row has no ${cell}, which this dataset needs.`,
  columns_disagree: (cell) => `Columns for ${cell} have different values.`,
  rows_disagree: (cell) => `Rows of the same record have different values for ${cell}.`,
  no_group: (cell) => `The row has no ${cell}, by which rows are combined into records.`,
  empty_row: () => 'The row is empty.',
  too_many_cells: () => 'The row has more cells than the header.',
  too_few_cells: () => 'The row has fewer cells than the header; it may be cut off.',
  unclosed_quote: () => 'A quotation mark in the row isn’t closed.',
  bad_quotes: () => 'The quotation marks in the row are ambiguous.',
  bad_bytes: () => 'The row has bytes that are invalid in the file’s encoding.',
  bad_json: () => 'The line isn’t a JSON object.',
  nul_bytes: () => 'The row has NUL bytes.',
  too_large: () => 'This row alone is too large for the service.',
  refused: (message) =>
    message === ''
      ? 'The service rejected the row without a reason.'
      : `The service rejected the row: ${message}`,
};

/** A longer cell can't be a null value. */
const maxNamedLength = 60;

/** A problem of one cell. */
export function cellProblem(code: ProblemCode, column: string, cell: string): CellProblem {
  const withoutCell = problem(code, column, cell);
  const text = cell.trim();
  return text.length > maxNamedLength ? withoutCell : { ...withoutCell, cell: text };
}

/** A problem with its message. @param cell the cell's text, or the subject of the message */
export const problem = (code: ProblemCode, column: string | null, cell = ''): CellProblem => ({
  code,
  column,
  message: words[code](cell),
});

/** Maximum number of lines listed for one problem. */
const namedLines = 10;

/** Adds problems to a list by column and code, with the first lines of each. */
export function addProblems(list: Map<string, UploadProblem>, more: readonly UploadProblem[]): void {
  for (const { count, lines, ...what } of more) {
    const { column, code } = what;
    const key = JSON.stringify([column, code]);
    const listedProblem = list.get(key);
    if (!listedProblem) {
      list.set(key, { ...what, count, lines: lines.slice(0, namedLines) });
      continue;
    }
    listedProblem.count += count;
    if (listedProblem.lines.length < namedLines || (lines[0] ?? Infinity) < (listedProblem.lines.at(-1) ?? 0))
      listedProblem.lines = [...listedProblem.lines, ...lines].sort((a, b) => a - b).slice(0, namedLines);
  }
}
