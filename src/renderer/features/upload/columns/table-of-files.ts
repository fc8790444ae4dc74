import { expandTabs } from '../../../../shared/upload/formats.ts';
import { originalHeader } from '../../../../shared/upload/rejects-header.ts';
import type { RawLine } from '../../../../shared/upload/preview.ts';
import type { UploadTemplate } from '../../../../shared/upload/templates.ts';
import type { FormatOptions } from '../file/format-options.ts';
import type { UploadTabState } from '../upload-state.ts';

/** The column keys of the file; for a file of rejected rows, those of the original. */
export const headerOf = ({ preview }: Pick<UploadTabState, 'preview'>): string[] =>
  preview.status === 'loaded' ? originalHeader(preview.value.columns.map(({ key }) => key)) : [];

/** The selected table of a file with several; undefined: it has one. */
const tableOf = ({ preview }: Pick<UploadTabState, 'preview'>): string | undefined =>
  preview.status === 'loaded' && preview.value.tables.length > 1 ? preview.value.table : undefined;

/** A table of files: where it is, and its header. */
export type TableOfFiles = Pick<UploadTemplate, 'table' | 'columnEdges' | 'header'>;

export function tableOfFiles(state: Pick<UploadTabState, 'preview' | 'reading'>): TableOfFiles {
  const table = tableOf(state);
  const { columnEdges } = state.reading;
  return {
    header: headerOf(state),
    ...(table === undefined ? {} : { table }),
    ...(columnEdges ? { columnEdges } : {}),
  };
}

/** Whether a line of the file has these names where it is cut. */
function hasNames(lines: readonly RawLine[], edges: readonly number[], names: readonly string[]): boolean {
  const cut = ({ text }: RawLine): string =>
    JSON.stringify([0, ...edges].map((start, at) => expandTabs(text).slice(start, edges[at]).trim()));
  return lines.some((line) => cut(line) === JSON.stringify(names));
}

/**
 * How the file is read to get a table that it has too: another of its tables, or lines cut at other edges.
 * @returns null if it is read so already, or doesn't have the table
 */
export function readingFor(
  { preview, reading }: Pick<UploadTabState, 'preview' | 'reading'>,
  { table, columnEdges, header }: TableOfFiles,
): FormatOptions | null {
  if (preview.status !== 'loaded') return null;
  const { tables, lines, table: current } = preview.value;
  const isTable = ({ name, columns }: (typeof tables)[number]): boolean =>
    name === table && columns === header.length;
  if (table !== undefined && table !== current && tables.some(isTable)) return { ...reading, table };
  const isOther = columnEdges !== undefined && String(columnEdges) !== String(reading.columnEdges);
  return isOther && hasNames(lines, columnEdges, header) ? { ...reading, columnEdges } : null;
}

/** Whether a file has the columns of the required fields, and more than half of all columns, of the first one. */
export function hasMostColumns(
  first: Pick<UploadTabState, 'preview' | 'match'>,
  file: Pick<UploadTabState, 'preview'>,
): boolean {
  const [columns, wanted] = [new Set(headerOf(file)), headerOf(first)];
  const required = (first.match.value?.fields ?? []).flatMap((field) =>
    field.required ? field.columns : [],
  );
  const shared = wanted.filter((column) => columns.has(column)).length;
  return (
    required.every((column) => columns.has(column)) && shared * 2 > Math.max(wanted.length, columns.size)
  );
}
