import * as z from 'zod';
import { filePreview, matchRequest, previewRequest, uploadMatch } from '../upload/preview.ts';
import { templateList, uploadTemplate } from '../upload/templates.ts';
import { wellColumn, wellNamesRequest } from '../upload/wells.ts';
import { inspectRequest, inspection, originRequest, uploadOrigin, uploadRequest } from '../upload/upload.ts';
import { call, nothing, started } from './call.ts';

/** Uploads: looking at files, and sending their rows. */
export const uploadCalls = {
  inspect: call.input(inspectRequest).output(inspection),
  /** How a file begins, at once, however large it is. */
  preview: call.input(previewRequest).output(filePreview),
  /** What a mapping comes to for a file and a dataset, by the same rules as `start`. */
  match: call.input(matchRequest).output(uploadMatch),
  /** What the names and API numbers of a file stand for, by the same rules as `start`. */
  wells: call.input(wellNamesRequest).output(z.array(wellColumn)),
  /** The upload whose rejected rows a file holds; null: it holds none, or that job is gone. */
  origin: call.input(originRequest).output(uploadOrigin.nullable()),
  start: call.input(uploadRequest).output(started),
  /** The mappings that a person keeps for files with the same header. */
  templates: call.input(nothing).output(templateList),
  /** Adds a template; one whose id is known takes the place of the one before. */
  keepTemplate: call.input(uploadTemplate).output(templateList),
  removeTemplate: call.input(uploadTemplate.pick({ id: true })).output(templateList),
};
