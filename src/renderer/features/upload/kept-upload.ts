import * as z from 'zod';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import { grantedFile } from '../../../shared/files/files.ts';
import { jobId } from '../../../shared/jobs/jobs.ts';
import { keptTab } from '../../../shared/tabs/tabs.ts';
import {
  columnMapping,
  mapping,
  readingOptions,
  uploadOrigin,
  uploadRequest,
} from '../../../shared/upload/upload.ts';
import { steps } from './steps.ts';
import { jobOf, type UploadTabState } from './upload-state.ts';

const { confirmedWells, keepAsText, exceptionShare } = mapping.shape;

const mappingChoices = z.object({
  columns: z.record(z.string(), z.union([z.strictObject({ skip: z.literal(true) }), columnMapping])),
  constants: z.record(z.string(), z.string()),
  nulls: z.string(),
  keepAsText,
  exceptionShare,
  confirmedWells,
  usesFileWells: z.boolean().optional(),
});

/** What was chosen for a file whose rows are not being sent yet. */
const uploadDraft = z.object({
  file: grantedFile,
  step: z.enum(steps),
  reading: readingOptions,
  choices: mappingChoices,
  existing: uploadRequest.shape.existing,
  origin: uploadOrigin.nullable(),
  /** Whether the columns were matched, with the well that was selected then filled in. */
  isMatched: z.boolean(),
  selectedWell: keptTab.shape.scope.element.nullable(),
  wellZone: z.object({ zone: z.string(), well: z.string() }).nullable(),
  /** The job that goes before it in the queue; null: it waits for none. */
  queuedAfter: jobId.nullable(),
});
export type UploadDraft = z.infer<typeof uploadDraft>;

/** How an upload is kept: by its job once that has begun, else with what was chosen. */
export const keptUpload = z.object({
  dataset: datasetAddress.nullable(),
  job: jobId.nullable(),
  /** Null: there is no file, or its job has begun. */
  draft: uploadDraft.nullable(),
});

/** What of an upload outlives the page; {@link keptUpload} reads it. */
export function keepUpload(state: UploadTabState) {
  const { dataset, send, file, match, step, reading, choices, existing } = state;
  const { origin, selectedWell, wellZone, queuedAfter } = state;
  const address = dataset && { provider: dataset.provider, dataset: dataset.dataset };
  const job = jobOf(send);
  if (job !== null || !('file' in file)) return { dataset: address, job, draft: null };
  const isMatched = match.value !== null;
  const chosen = { step, reading, choices, existing, origin, isMatched, selectedWell, wellZone, queuedAfter };
  return { dataset: address, job, draft: { file: file.file, ...chosen } };
}
