// The door of this folder: what other modules use of it.
//
// A file is read whole once (`source-file`). Each of its columns is decided once (`match`: where it goes; `decide`: how its
// cells become values; `rules`: how rows become records). The preview of a mapping (`validation`) and the plan of an upload
// (`plan-upload`) are views of these decisions. Threads then make records of rows (`preparation`, `record-writer`).

export { createFileScans, placesOf, releaseSource, settleSource } from './source-file.ts';
export { unmappedConversions } from './decide.ts';
export { planUpload, type PlanDependencies } from './plan-upload.ts';
export { createValidation, likelyColumns, type ValidationDependencies } from './validation.ts';
export { resolveAssets } from './wells.ts';
export { columnTimes } from './times.ts';
export { numberText } from './record-writer.ts';
export { createPreparer, type FoundRecord, type RowFingerprint } from './preparation.ts';
export { openCsvThread, withThread, type CsvThread, type OpenCsvThread } from './thread/csv-thread.ts';
export { comparisonOf, type Comparison } from './existing/existing-records.ts';
export { countIds, idRuns, KnownIds, packIds, unpackIds, type IdRuns } from './existing/id-runs.ts';
export {
  type Conversion,
  type ColumnRule,
  type UploadPlan,
  uploadPlan,
  uploadFormat,
  type Rules,
} from './plan.ts';
export { createProposals } from './matching/proposals.ts';
export type { Survey } from './existing/survey.ts';
