import type { PlotSpec } from '../../../../src/renderer/features/plot/thinning.ts';

/** Lines of fields over `x`, of records in one group. */
export const linesOver = (y: readonly string[]): PlotSpec => ({
  kind: 'lines',
  x: 'x',
  y,
  color: null,
  stations: null,
  groupedBy: null,
  shown: [0],
  breaks: undefined,
  elapsed: false,
  changes: {},
  view: null,
});
