import * as z from 'zod';
import { exportResult } from './export.ts';
import { jobArtifact, jobFacts, jobId } from './jobs.ts';
import { uploadResult } from './upload.ts';

const common = { ...jobFacts, id: jobId, artifacts: z.array(jobArtifact) };

/** A job of each kind, with what it came to. */
export const job = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('export'), result: exportResult.nullable() }),
  z.object({ ...common, kind: z.literal('upload'), result: uploadResult.nullable() }),
]);
