import type { DirectFormat, FileFacts } from '../../../../shared/upload/formats.ts';

/** Facts about a file that is read without conversion: it has one table. */
export const directFacts = (format: DirectFormat, name: string): FileFacts => ({
  format,
  compression: null,
  tables: [{ name, rows: null, columns: 0, isHidden: false }],
  table: name,
  tableNumber: 1,
  index: null,
  header: [],
  places: { kind: 'line', table: null },
  columnEdges: null,
});
