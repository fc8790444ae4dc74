import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { UnitChanges } from '../records/unit-changes.ts';
import type { Content } from './content.ts';
import type { ThinnedDots } from './dots.ts';
import { extentOf } from './extent.ts';
import { stationDepth } from './first-choice.ts';
import type { GroupOrder } from './group-order.ts';
import type { PlotSource } from './source.ts';
import type { PlotOnThread, Thinner } from './thinner.ts';
import type { Look, View } from './thinning.ts';

/** Maximum number of lines in one chart: more can't be distinguished. */
const maxLines = 24;
const maxLinesInTracks = 2 * maxLines;

interface Loading {
  readonly thinner: Thinner;
  readonly order: GroupOrder;
  readonly source: PlotSource;
  readonly choice: PlotChoice;
  readonly axis: string;
  readonly groupedBy: readonly string[];
  /** The fields that are shown in another unit. */
  readonly changes: UnitChanges;
  /** Null: the size of the plot isn't known yet. */
  readonly view: View | null;
}

/**
 * Loads the numbers of a plot and sorts them into lines on their thread.
 * @returns the content, its data on the thread, and the first drawing
 * @throws AppError
 */
export async function loadContent(
  { thinner, order, source, choice, axis, groupedBy, changes, view }: Loading,
  signal: AbortSignal,
): Promise<{
  content: Content;
  held: PlotOnThread;
  first: { look: Look; lines: readonly ThinnedDots[] } | null;
}> {
  const ids = new Set(source.fields.map(({ id }) => id));
  const shown = { ...choice, y: choice.y.filter((id) => ids.has(id)) };
  const colorField = shown.kind === 'scatter' ? (shown.crossplot?.color ?? null) : null;
  const colors = colorField !== null && ids.has(colorField) ? [colorField] : [];
  const depth = shown.plan ? stationDepth(source.fields) : null;
  const [[x = new Float64Array(), ...values], grouped] = await Promise.all([
    source.numbers([shown.x, ...shown.y, ...colors, ...(depth === null ? [] : [depth])]),
    groupedBy.length > 0 ? source.groups(groupedBy) : null,
  ]);
  const groups = grouped && order.arranged(grouped, groupedBy);
  const all = Math.max(groups?.names.length ?? 1, 1);
  const most =
    shown.kind === 'tracks'
      ? maxLinesInTracks
      : shown.kind === 'panels'
        ? maxLines * shown.y.length
        : maxLines;
  const groupCount = Math.max(Math.min(all, Math.floor(most / Math.max(shown.y.length, 1))), 1);
  const y = values.slice(0, shown.y.length);
  const color = colors.length > 0 ? values[shown.y.length] : undefined;
  const stations = depth === null ? undefined : values.at(-1);
  const data = { x, y, color, stations, groups: all > 1 && groups ? groups.codes : null, groupCount };
  const held = await thinner.load({
    data,
    kind: shown.kind,
    elapsed: shown.align === 'elapsed',
    changes: [shown.x, ...shown.y, ...colors].map((id) => changes[id] ?? null),
    view,
  });
  if (signal.aborted) held.release();
  const { lines, gaps, colorRange } = held;
  const names = groups && groups.names.length > 0 ? groups.names.slice(0, groupCount) : [[]];
  return {
    held,
    first: held.first,
    content: {
      choice: shown,
      isPath: depth !== null,
      changes,
      axis,
      rows: source.rows,
      part: source.part,
      groups: names,
      groupsLeft: all - groupCount,
      lines,
      gaps,
      extent: extentOf(lines),
      colorRange,
    },
  };
}
