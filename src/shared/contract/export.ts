import { exportRequest } from '../export/export.ts';
import { call, started } from './call.ts';

/** Exports. */
export const exportCalls = {
  start: call.input(exportRequest).output(started),
};
