import { datasetAddress } from '../datasets/datasets.ts';
import { gridView, keptView } from '../tabs/grid-view.ts';
import { about, diagnostics } from '../workspace/workspace.ts';
import { call, nothing } from './call.ts';

/** The window as a whole. */
export const workspaceCalls = {
  about: call.input(nothing).output(about),
  /** What whoever helps wants to know: versions, system, settings, the end of the log; never a secret or a path. */
  diagnostics: call.input(nothing).output(diagnostics),
  /** How the person left the columns of a dataset. */
  view: call.input(datasetAddress).output(gridView),
  keepView: call.input(keptView).output(nothing),
};
