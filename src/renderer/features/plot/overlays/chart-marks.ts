import { isVerticalDepth } from '../../../../shared/channels/channels.ts';
import type { WellNote } from '../../../../shared/contract/notes.ts';
import type { PlotChoice, PlotOverlay } from '../../../../shared/tabs/plot.ts';
import { notesWords } from '../../../words/notes.ts';
import { plotWords } from '../../../words/plot.ts';
import type { ChartMark } from '../../../ui/plot/index.ts';
import { isDepth, lastName } from '../first-choice.ts';
import { groupColors } from '../../../ui/well-dot.tsx';
import type { Content } from '../content.ts';
import { addressText } from '../../datasets/search.ts';
import { noteInOneLine } from '../../notes/notes.tsx';
import { areComparable, rangesInUnit } from '../../records/shown-cells.ts';
import { isTime } from '../../records/table.ts';
import type { PlotField } from '../source.ts';
import type { PlotNames } from '../names.ts';
import { maxMarks, type OverlayMark, type ReadMarks } from './overlays.ts';

const isAlongHole = (id: string): boolean => isDepth(id) && !isVerticalDepth(lastName(id));

export interface OverlayAxis {
  readonly along: PlotOverlay['along'];
  readonly field: string;
  /** Whether it is the axis upwards of a crossplot. */
  readonly isAcross: boolean;
}

/** Null: neither axis is a time or a depth as recorded. */
export function overlayAxis(choice: PlotChoice, fields: readonly PlotField[]): OverlayAxis | null {
  const { kind, x, y, align } = choice;
  if (kind !== 'scatter' && align === 'elapsed') return null;
  if (fields.some((field) => field.id === x && isTime(field)))
    return { along: 'time', field: x, isAcross: false };
  if (isAlongHole(x)) return { along: 'depth', field: x, isAcross: false };
  const [first = ''] = y;
  return kind === 'scatter' && isAlongHole(first) ? { along: 'depth', field: first, isAcross: true } : null;
}

/** The marks of one overlay, on the axis of the plot. */
export interface LoadedOverlay {
  /** Null: the marks are notes. */
  readonly overlay: PlotOverlay | null;
  readonly marks: readonly OverlayMark[];
  /** Whether its dataset has more marks; absent: it hasn't. */
  readonly isCut?: boolean;
  readonly needsWells?: boolean | undefined;
  /** Whether they are drawn as stored, because a unit is unknown; absent: no. */
  readonly lacksUnit?: boolean;
}

/**
 * A sentence for each overlay of which not all marks are drawn, or not where they may belong.
 * @param advice how to see all marks
 */
export const overlayTexts = (overlays: readonly LoadedOverlay[], advice = ''): string[] =>
  overlays.flatMap(({ overlay, isCut, needsWells, lacksUnit }) => [
    ...(overlay && isCut
      ? [`${plotWords.overlays.cut(addressText(overlay), maxMarks)} ${advice}`.trim()]
      : []),
    ...(overlay && needsWells ? [plotWords.overlays.noWells(addressText(overlay))] : []),
    ...(lacksUnit ? [overlay ? plotWords.overlays.noUnit(addressText(overlay)) : notesWords.noUnit] : []),
  ]);

/** The overlays on the axis of a plot, the wells that they are of, and the unit of the axis: of a depth, if it is known. */
export function overlaySubject(
  content: Pick<Content, 'choice' | 'groups'> | null,
  axis: OverlayAxis | null,
  { unitOf }: Pick<PlotNames, 'unitOf'>,
  requestedWells: readonly string[],
) {
  const { overlays = [], hasNotes } = content?.choice ?? {};
  const along = axis?.along ?? null;
  return {
    overlays: overlays.filter((overlay) => overlay.along === along),
    along,
    wells: markedWells({ groups: content?.groups ?? [] }, requestedWells),
    unit: axis?.along === 'depth' ? unitOf(axis.field) : undefined,
    hasNotes,
  };
}

/**
 * An overlay on the axis of a plot.
 * @param stored the unit of its positions; undefined: they are times, or it is unknown
 * @param unit of the axis; undefined: it is a time, or has an unknown unit
 */
export const markedOverlay = (
  overlay: PlotOverlay,
  { marks, ...read }: ReadMarks,
  stored: string | undefined,
  unit: string | undefined,
): LoadedOverlay => ({
  overlay,
  ...read,
  marks: rangesInUnit(marks, stored, unit),
  lacksUnit: overlay.along === 'depth' && marks.length > 0 && !areComparable(stored, unit),
});

/**
 * The notes that belong to a plot, as an overlay.
 * @param unit of the axis; undefined: it is a time, or has an unknown unit
 * @returns empty: there are none, or the user hides them
 */
export function noteOverlays(
  notes: readonly WellNote[],
  { hasNotes = true }: Pick<PlotChoice, 'hasNotes'>,
  along: OverlayAxis['along'] | null,
  unit: string | undefined,
): LoadedOverlay[] {
  const shown = notes.filter((note) => hasNotes && note.along === along);
  const marks = shown
    .flatMap(({ well, text, from, to, unit: stored }) =>
      rangesInUnit([{ well: String(well), name: noteInOneLine(text), from, to }], stored, unit),
    )
    .toSorted((a, b) => a.from - b.from);
  const lacksUnit = along === 'depth' && shown.some((note) => !areComparable(note.unit, unit));
  return marks.length > 0 ? [{ overlay: null, marks, lacksUnit }] : [];
}

/** Whether the well of a record is an asset id: names are no numbers, and API numbers have 10 digits or more. */
const looksLikeAssetId = (well: string): boolean => /^\d{1,9}$/.test(well);

/** The wells whose marks belong to a plot. Records without their well are of those that the query names. */
export function markedWells(
  { groups }: Pick<Content, 'groups'>,
  requestedWells: readonly string[],
): readonly string[] {
  const wells = [...new Set(groups.flatMap(([well = '']) => (looksLikeAssetId(well) ? [well] : [])))];
  return wells.length > 0 ? wells : requestedWells;
}

/** Whether a mark belongs to a plot: to one of its wells, or to none, or the plot has no wells. */
function markOf(wells: readonly string[]): (mark: OverlayMark) => boolean {
  const wellIds = new Set(wells);
  const hasNone = !wells.some(looksLikeAssetId);
  return ({ well }) => hasNone || well === '' || wellIds.has(well);
}

/**
 * Marks as a chart draws them.
 * @param overlays with positions in the unit of the axis
 * @param wells the asset ids of the plot's groups, in order; marks of other wells are left out
 * @param colors the number of colors
 * @returns in the order of the axis; of several wells in the colors of their lines
 */
export function chartMarks(
  overlays: readonly LoadedOverlay[],
  wells: readonly string[],
  colors: number,
): ChartMark[] {
  const isOneWell = new Set(wells).size <= 1;
  const byGroup = groupColors(wells, colors);
  return overlays
    .flatMap(({ marks }) => marks)
    .filter(markOf(wells))
    .map(({ well, name, from, to }) => {
      const group = wells.indexOf(well);
      return { text: name, from, to, color: isOneWell ? null : (byGroup[group] ?? null) };
    })
    .toSorted((a, b) => a.from - b.from);
}

/** The asset ids of the wells of a plot’s groups, one for each; empty: it has none. */
export const wellsOf = ({ groups }: Pick<Content, 'groups'>): string[] => groups.map(([well = '']) => well);

/** The names of one overlay at the cursor. */
export interface OverlayReading {
  /** The path of its names; null: they are notes. */
  readonly field: string | null;
  readonly names: readonly string[];
}

/** The names of each overlay at a position; positions are in the unit of the axis. */
export const overlayReadings = (
  overlays: readonly LoadedOverlay[],
  wells: readonly string[],
  at: number,
): OverlayReading[] => {
  const isOfPlot = markOf(wells);
  return overlays.map(({ overlay, marks }) => ({
    field: overlay?.name ?? null,
    names: namesAt(marks.filter(isOfPlot), at),
  }));
};

/** The names at a position, each once: of the marks around it, or else of the last mark before it. */
export function namesAt(marks: readonly OverlayMark[], at: number): string[] {
  const around = marks.filter(({ from, to }) => to !== null && at >= from && at <= to);
  const wells = [...new Set(marks.map(({ well }) => well))];
  const lines = marks.filter(({ to }) => to === null);
  const last = wells.flatMap((well) => lines.findLast((mark) => mark.well === well && mark.from <= at) ?? []);
  return [...new Set((around.length > 0 ? around : last).map(({ name }) => name))];
}
