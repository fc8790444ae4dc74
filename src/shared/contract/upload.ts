import * as z from 'zod';
import { call, nothing } from './call.ts';
import { started, jobQuery } from '../jobs/jobs.ts';
import { inspectRequest, inspection, uploadRequest } from '../upload/upload.ts';
import { filePreview, matchRequest, previewRequest, uploadMatch } from '../upload/preview.ts';
import { datasetForFile, datasetsForFileRequest, proposals, proposalsRequest } from '../upload/proposals.ts';
import { lastMapping, templateList, uploadTemplate } from '../upload/templates.ts';
import { wellCandidate, wellColumn, wellNamesRequest, wellsInNameRequest } from '../upload/wells.ts';
import { originRequest, uploadOrigin } from '../upload/result.ts';
import { fixedRows, fixResult, rejectedRows } from '../upload/fixes.ts';

/** Uploads: looking at files, and sending their rows. */
export const uploadCalls = {
  inspect: call.input(inspectRequest).output(inspection),
  /** The start of a file, at once for any size. */
  preview: call.input(previewRequest).output(filePreview),
  /** The result of a mapping for a file and a dataset, by the rules of `start`. */
  match: call.input(matchRequest).output(uploadMatch),
  /** Which fields of a dataset the columns of a file belong to. */
  propose: call.input(proposalsRequest).output(proposals),
  datasetsFor: call.input(datasetsForFileRequest).output(z.array(datasetForFile)),
  /** Resolves the names and API numbers of a file, by the rules of `start`. */
  wells: call.input(wellNamesRequest).output(z.array(wellColumn)),
  wellsInName: call.input(wellsInNameRequest).output(z.array(wellCandidate)),
  /** The upload whose rejected rows a file has; null: it has none, or that job was removed. */
  origin: call.input(originRequest).output(uploadOrigin.nullable()),
  /** Starts a check, or an upload; refuses an upload of something else than was checked, or that can be resumed. */
  start: call.input(uploadRequest).output(started),
  /** The rejected rows of an upload, which can be fixed. */
  rejected: call.input(jobQuery).output(rejectedRows),
  /** Sends fixed rows as a follow-up of their upload; nothing if one of them is still wrong. */
  sendFixed: call.input(fixedRows).output(fixResult),
  /** The templates: mappings for files with the same header. */
  templates: call.input(nothing).output(templateList),
  /** Adds a template; one with an existing id is replaced. */
  keepTemplate: call.input(uploadTemplate).output(templateList),
  /** The mapping of the last upload with a header; null: none is stored. */
  lastMapping: call.input(lastMapping.pick({ header: true, type: true })).output(lastMapping.nullable()),
  /** Stores the mapping of an upload that started; the one before it with this header is replaced. */
  keepLastMapping: call.input(lastMapping).output(nothing),
  removeTemplate: call.input(uploadTemplate.pick({ id: true })).output(templateList),
};
