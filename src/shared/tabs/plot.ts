import * as z from 'zod';

/**
 * How values are drawn. `lines`: along an axis that runs to the right, as over time; `tracks`: side by side along an
 * axis that runs downwards, as on a log; `scatter`: one dot for each record.
 */
export const plotKinds = ['lines', 'tracks', 'scatter'] as const;
export const plotKind = z.enum(plotKinds);
export type PlotKind = z.infer<typeof plotKind>;

/** The most fields that one plot shows. */
export const maxPlotFields = 8;

/**
 * The content of a plot, as plain data stored with its tab. Fields are path ids, such as `data.rop`. `align`:
 * whether wells are shown at their actual times, or aligned at their starts.
 */
export const plotChoice = z.object({
  kind: plotKind,
  x: z.string(),
  y: z.array(z.string()).max(maxPlotFields),
  align: z.enum(['recorded', 'elapsed']),
});
export type PlotChoice = z.infer<typeof plotChoice>;
