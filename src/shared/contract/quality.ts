import * as z from 'zod';
import { call } from './call.ts';
import { started, jobQuery } from '../jobs/jobs.ts';
import { comparisonReport, comparisonRequest, fileComparisonRequest } from '../quality/comparison.ts';
import { fileQualityReport, fileQualityRequest, qualityRequest } from '../quality/quality.ts';
import { qualityReport } from '../quality/quality-report.ts';

const jobReport = z.discriminatedUnion('kind', [
  /** The query is strict JSON. */
  z.object({ kind: z.literal('check'), query: z.string(), report: qualityReport }),
  z.object({ kind: z.literal('comparison'), report: comparisonReport }),
]);

export const qualityCalls = {
  /** Checks the matching records of a dataset, as a job. */
  start: call.input(qualityRequest).output(started),
  /** Compares two queries, as a job. */
  compare: call.input(comparisonRequest).output(started),
  /** Compares a file with the dataset that it goes into, as a job. */
  compareFile: call.input(fileComparisonRequest).output(started),
  report: call.input(jobQuery).output(jobReport),
  /** Checks a whole file. */
  file: call.input(fileQualityRequest).output(fileQualityReport),
};
