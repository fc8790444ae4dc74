import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';
import { calculatedColumn, maxCalculated } from '../calculated/calculated.ts';

/**
 * How values are drawn. `lines`: along an axis that runs to the right, as over time; `panels`: the same, with a panel
 * for each field, one below the other; `tracks`: side by side along an axis that runs downwards, as on a log; `scatter`:
 * one dot for each record; `bars`: one bar for each category, without an axis.
 */
export const plotKinds = ['lines', 'panels', 'tracks', 'scatter', 'bars'] as const;
const plotKind = z.enum(plotKinds);
export type PlotKind = z.infer<typeof plotKind>;

export const maxPlotFields = 16;

/** The values at the edges of a track: `left` can be above `right`. */
const curveScale = z.object({
  left: z.number(),
  right: z.number(),
  isLog: z.boolean(),
});
export type CurveScale = z.infer<typeof curveScale>;

/** What is filled beside a curve: nothing, up to an edge of its track, up to a value, or up to another curve. */
const curveFill = z.discriminatedUnion('to', [
  z.object({ to: z.literal('none') }),
  z.object({ to: z.literal('left') }),
  z.object({ to: z.literal('right') }),
  z.object({ to: z.literal('value'), value: z.number() }),
  z.object({ to: z.literal('curve'), field: z.string() }),
]);
export type CurveFill = z.infer<typeof curveFill>;

/** How a field is drawn in a track, where the user decided it. */
const curveStyle = z.object({
  /** `auto`: the values in view; absent: the scale of its channel. */
  scale: z.union([z.literal('auto'), curveScale]).optional(),
  /** The unit of the scale and of the fill; absent: none is known. */
  unit: z.string().optional(),
  /** Whether values beyond an edge go on from the other one. */
  isWrapped: z.boolean().optional(),
  fill: curveFill.optional(),
});
export type CurveStyle = z.infer<typeof curveStyle>;

export const maxOverlays = 8;

/** Named depths or times of a dataset, such as tops, stages, or events, drawn over a plot. Fields are path ids. */
const plotOverlay = datasetAddress.extend({
  along: z.enum(['depth', 'time']),
  name: z.string(),
  from: z.string(),
  /** The field of the other end; null: each has one position. */
  to: z.string().nullable(),
});
export type PlotOverlay = z.infer<typeof plotOverlay>;

/** What a crossplot shows besides its dots. */
const crossplotChoice = z.object({
  /** The field whose values color the dots; null: each well has a color. */
  color: z.string().nullable(),
  isLogX: z.boolean(),
  isLogY: z.boolean(),
  hasRegression: z.boolean(),
  hasHistograms: z.boolean(),
});
export type CrossplotChoice = z.infer<typeof crossplotChoice>;

/**
 * The content of a plot, as plain data stored with its tab. Fields are path ids, such as `data.rop`. `align`:
 * whether wells are shown at their actual times, or aligned at their starts.
 */
export const plotChoice = z.object({
  kind: plotKind,
  x: z.string(),
  y: z.array(z.string()).max(maxPlotFields),
  align: z.enum(['recorded', 'elapsed']),
  /** The fields of each track, in order; fields that aren't here have the track of their channel. */
  tracks: z.array(z.array(z.string())).optional(),
  /** The styles of curves that the user changed, by field. */
  curves: z.record(z.string(), curveStyle).optional(),
  /** Whether values run downwards, as depths; absent: if all fields are depths. Tracks have limits instead. */
  isReversed: z.boolean().optional(),
  overlays: z.array(plotOverlay).max(maxOverlays).optional(),
  /** Whether the notes of its wells are drawn; absent: they are. */
  hasNotes: z.boolean().optional(),
  crossplot: crossplotChoice.optional(),
  /** Of a crossplot that is the section of a wellpath: its plan is beside it, and all axes have the same scale. */
  plan: z.object({ x: z.string(), y: z.string() }).optional(),
  /** Of a crossplot: the fields that it had as another kind, to be shown there again. */
  others: z.array(z.string()).max(maxPlotFields).optional(),
});
export type PlotChoice = z.infer<typeof plotChoice>;

export const resultsViews = ['table', 'plot', 'both', 'quality'] as const;
export type ResultsView = (typeof resultsViews)[number];

/** How a result is shown: in which view, with which calculated columns, and the channels, axes, and styles of its plot; null: the default ones. */
export const resultsLook = z.object({
  view: z.enum(resultsViews).default('table'),
  plot: plotChoice.nullable().default(null),
  calculated: z.array(calculatedColumn).max(maxCalculated).default([]),
});
export type ResultsLook = z.infer<typeof resultsLook>;
