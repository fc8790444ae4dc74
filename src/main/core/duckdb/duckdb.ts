// The door of this folder, for code that runs without the engine's library, which is native code.
//
// `openSqlEngine` runs the statements of users; `tableEngines` and `withTables` run ours, on the files of a job. Both start a
// process (`engine-process.ts`), which a crash ends and nothing else. What reads a Parquet file runs in a process already, and
// imports `parquet-file.ts`.

export {
  convertToParquet,
  copyTextTable,
  countRepeats,
  engineTypes,
  sortPlaces,
  type TableColumnType,
  type TextColumn,
  type TextRows,
  type TextTable,
  type TextValue,
} from './to-parquet.ts';
export {
  filePage,
  numbersPage,
  openSqlEngine,
  windowPage,
  type SqlEngine,
  type TableSource,
} from './sql-engine.ts';
export { list, parquetCopy, patternOf } from './sql-text.ts';
export { loadWithLibrary } from './statement.ts';
export type { TableFiles } from './table-calls.ts';
export { tableEngines, withTables, type StartTableEngine, type TableEngine } from './table-engine.ts';
