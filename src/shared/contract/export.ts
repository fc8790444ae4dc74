import * as z from 'zod';
import { exportRequest, exportSample } from '../export/export.ts';
import { call, started } from './call.ts';

/** Exports. */
export const exportCalls = {
  start: call.input(exportRequest).output(started),
  /** The text that an export would write for a few records. Not for Parquet. */
  sample: call.input(exportSample).output(z.string()),
};
