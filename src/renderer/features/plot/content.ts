import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { UnitChanges } from '../records/shown-cells.ts';
import type { Histograms, ThinnedDots } from './dots.ts';
import type { Part, WholeExtent } from './extent.ts';
import type { Fit, LogAxes } from './regression.ts';
import type { PlotSource } from './source.ts';
import type { Range } from './thin.ts';
import type { LineFacts } from './thinning.ts';

/** A plot whose data are loaded. */
export interface Content {
  readonly choice: PlotChoice;
  /** Whether the dots are stations of wellpaths, joined in the order of their measured depths. */
  readonly isPath: boolean;
  readonly changes: UnitChanges;
  /** The axis and its unit: the same range is another one on another axis. */
  readonly axis: string;
  readonly part: PlotSource['part'];
  readonly steps?: PlotSource['steps'];
  /** The identifying texts of each group; one without texts if the records have none. */
  readonly groups: readonly (readonly string[])[];
  /** Number of groups that are not shown, because there are too many. */
  readonly groupsLeft: number;
  readonly lines: readonly LineFacts[];
  /** Ranges of the axis where records are missing, by their usual step. */
  readonly gaps: readonly Range[];
  /** The whole range; null: no points. */
  readonly extent: WholeExtent | null;
  /** The range of the values that color dots; null: they have none. */
  readonly colorRange: Range | null;
}

/** Lines downsampled for a part of the axis, one for each of the content's. */
export interface Drawn {
  readonly content: Content;
  readonly part: Part & { readonly log?: LogAxes | undefined };
  readonly lines: readonly ThinnedDots[];
}

export interface Statistics {
  /** One for each line. */
  readonly fits: readonly (Fit | null)[];
  readonly histograms: Histograms;
  readonly log: LogAxes;
}
