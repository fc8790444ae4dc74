import * as z from 'zod';
import { calculatedColumn, maxCalculated } from '../calculated/calculated.ts';
import { plotChoice } from './plot.ts';

export const resultsViews = ['table', 'plot', 'both', 'quality'] as const;
export type ResultsView = (typeof resultsViews)[number];

/** How a result is shown: in which view, with which calculated columns, and the channels, axes, and styles of its plot; null: the default ones. */
export const resultsLook = z.object({
  view: z.enum(resultsViews).default('table'),
  plot: plotChoice.nullable().default(null),
  calculated: z.array(calculatedColumn).max(maxCalculated).default([]),
});
export type ResultsLook = z.infer<typeof resultsLook>;
