// The door of this folder: records become files, or tables of Delta in folders.
//
// `RecordWriter` writes the pages of a run: a thread formats them, and for Parquet the engine makes a table of their rows.
// A folder is a table of Delta: `planFolder` decides what a run of it reads, and `TableRun` opens it, reads again what is lost
// or differs from the service, and ends it. Only the log says which files a table has.

export {
  durableCheckpoint,
  RecordWriter,
  removeSpools,
  type Finished,
  type Spooled,
} from './record-writer.ts';
export {
  checkpoint,
  finishedFile,
  slice,
  spoolBytesOf,
  type Checkpoint,
  type FinishedFile,
  type ProgressMarks,
  type Slice,
  type WriterSpec,
  type WrittenRecords,
} from './spec.ts';

export { checkFolderOutput, planFolder } from './folder/folder-plan.ts';
export { lockFolder } from './folder/commit.ts';
export { TableRun } from './folder/table-run.ts';
export type { UpdatedTable } from './folder/update-table.ts';
export {
  folderPlan,
  type Folder,
  type FolderPlan,
  type FolderTarget,
  type TableState,
} from './folder/table-state.ts';
export type { Reread } from './census/comparison.ts';
export { checkpointReader } from './delta/checkpoint.ts';
export { parquetFilesOf, readLastRun, type ReadCheckpoint } from './delta/snapshot.ts';
