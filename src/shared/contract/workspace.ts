import { datasetAddress } from '../datasets/datasets.ts';
import { call, nothing } from './call.ts';
import { changedView, gridView } from '../tabs/grid-view.ts';
import { about, diagnostics, systemNotice } from '../workspace/workspace.ts';

/** The window as a whole. */
export const workspaceCalls = {
  about: call.input(nothing).output(about),
  /** Diagnostics for support: versions, system, settings, the end of the log; without secrets and paths. */
  diagnostics: call.input(nothing).output(diagnostics),
  /** Shows a notification where the host, and not the browser, has them. */
  notify: call.input(systemNotice).output(nothing),
  /** The column layout of a dataset. */
  view: call.input(datasetAddress).output(gridView),
  /** Changes the column layout of a dataset. */
  changeView: call.input(changedView).output(nothing),
};
