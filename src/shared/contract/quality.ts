import * as z from 'zod';
import { jobQuery } from '../jobs/jobs.ts';
import { comparison, comparisonRequest, fileComparisonRequest } from '../quality/comparison.ts';
import { fileQualityRequest, qualityRequest } from '../quality/quality.ts';
import { qualityReport } from '../quality/report.ts';
import { call, started } from './call.ts';

/** The quality of records. */
export const qualityCalls = {
  /** Checks the matching records of a dataset, as a job. */
  start: call.input(qualityRequest).output(started),
  /** The query of a job, as strict JSON. */
  request: call.input(jobQuery).output(z.object({ query: z.string() })),
  /** The report of a finished job. */
  report: call.input(jobQuery).output(qualityReport),
  /** Compares two queries. */
  compare: call.input(comparisonRequest).output(comparison),
  /** Compares a file with the dataset that it goes into. */
  compareFile: call.input(fileComparisonRequest).output(comparison),
  /** Checks a whole file. */
  file: call.input(fileQualityRequest).output(qualityReport),
};
