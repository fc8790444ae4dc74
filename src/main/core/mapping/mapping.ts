// The door of this folder: what other modules use of it.
//
// A file is read whole once (`source-file`). Each of its columns is decided once (`decisions`: where it goes, and how rows
// become records; `decide`: how its cells become values). The preview of a mapping (`validation`) and the plan of an upload
// (`plan-upload`) are views of these decisions. A thread then makes records of rows (`preparation`, `record-writer`).

export {
  FileScans,
  openCsvThread,
  releaseSource,
  settleSource,
  withThread,
  type CsvThread,
} from './source-file.ts';
export { columnTimes, unmappedConversions } from './decide.ts';
export { uploadPlan, type UploadPlan } from './upload-plan.ts';
export { planUpload, type PlanDependencies } from './plan-upload.ts';
export { createValidation, likelyColumns } from './validation.ts';
export { createProposals } from './proposals.ts';
export { resolveAssets } from './wells.ts';
export { firstUsed } from './times.ts';
export { numberText } from './record-writer.ts';
export { createPreparer } from './preparation.ts';
export { comparisonOf } from './existing.ts';
