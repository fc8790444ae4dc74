import * as z from 'zod';
import { addressOf, datasetAddress } from '../../../shared/datasets/datasets.ts';
import { grantedFile } from '../../../shared/files/files.ts';
import { jobId } from '../../../shared/jobs/jobs.ts';
import { keptTab } from '../../../shared/tabs/tabs.ts';
import { columnMapping, mapping, readingOptions, uploadRequest } from '../../../shared/upload/upload.ts';
import { uploadOrigin } from '../../../shared/upload/result.ts';
import type { StoredForm } from '../tabs/tab-kind.ts';
import { steps } from './steps.ts';
import { jobOf } from './upload-facts.ts';
import { offers, type Offer, type UploadTabState } from './upload-state.ts';

const { confirmedWells, withoutWell, keepAsText, exceptionShare, fold } = mapping.shape;

const mappingChoices = z.object({
  columns: z.record(z.string(), z.union([z.strictObject({ skip: z.literal(true) }), columnMapping])),
  constants: z.record(z.string(), z.string()),
  nulls: z.array(z.string()),
  keepAsText,
  exceptionShare,
  confirmedWells,
  withoutWell,
  fold,
  usesFileWells: z.boolean().optional(),
});

/** The choices for a file whose rows are not being sent yet. */
export const uploadDraft = z.object({
  file: grantedFile,
  step: z.enum(steps),
  reading: readingOptions,
  choices: mappingChoices,
  existing: uploadRequest.shape.existing,
  origin: uploadOrigin.nullable(),
  /** Absent in drafts that were stored before offers were: they have `isMatched`. */
  offers: z.array(z.enum(offers)).optional(),
  isMatched: z.boolean().optional(),
  selectedWell: keptTab.shape.scope.element.nullable(),
  wellZone: z.object({ zone: z.string(), well: z.string() }).nullable(),
  /** The job that this upload waits for; null: none. */
  queuedAfter: jobId.nullable(),
});
export type UploadDraft = z.infer<typeof uploadDraft>;

/** What was offered before a draft was stored. */
export const offersOf = ({ offers: stored, isMatched }: UploadDraft): readonly Offer[] =>
  stored ?? ['nulls', 'origin', ...(isMatched === true ? (['mapping', 'sources', 'fields'] as const) : [])];

/** A stored upload: its job once that started, otherwise its choices. */
export const storedUpload = z.object({
  dataset: datasetAddress.nullable(),
  /** Whether the user didn't select the dataset, and hasn't confirmed it. */
  isDatasetAssumed: z.boolean().optional(),
  job: jobId.nullable(),
  /** Null: no file yet, or its job started. */
  draft: uploadDraft.nullable(),
});

/** The part of an upload that survives a reload; {@link storedUpload} reads it. */
export function toStoredUpload(state: UploadTabState): StoredForm<typeof storedUpload> {
  const { isDatasetAssumed, file } = state;
  const dataset = state.dataset && addressOf(state.dataset);
  const job = jobOf(state.send);
  if (job !== null || !('file' in file)) return { dataset, isDatasetAssumed, job, draft: null };
  const { step, reading, choices, existing, origin, selectedWell, wellZone, queuedAfter } = state;
  const draft = { file: file.file, step, reading, choices, existing, origin, offers: [...state.offers] };
  return { dataset, isDatasetAssumed, job, draft: { ...draft, selectedWell, wellZone, queuedAfter } };
}
