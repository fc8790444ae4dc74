import * as z from 'zod';

/**
 * How values are drawn. `lines`: along an axis that runs to the right, as over time; `tracks`: side by side along an
 * axis that runs downwards, as on a log; `scatter`: one dot for each record.
 */
export const plotKinds = ['lines', 'tracks', 'scatter'] as const;
export const plotKind = z.enum(plotKinds);
export type PlotKind = z.infer<typeof plotKind>;

/** The most fields that one plot shows. */
export const mostPlotFields = 8;

/**
 * What a plot shows: plain data, to be kept with its tab. Fields are named by their path ids, such as `data.rop`.
 * `align`: whether several wells are laid over one another as recorded, or each from its own beginning.
 */
export const plotChoice = z.object({
  kind: plotKind,
  x: z.string(),
  y: z.array(z.string()).max(mostPlotFields),
  align: z.enum(['recorded', 'elapsed']),
});
export type PlotChoice = z.infer<typeof plotChoice>;
