import type { CurveScale } from '../../../shared/tabs/plot.ts';
import { groupColors } from '../../ui/well-dot.tsx';
import { likelyUnitOf } from '../../../shared/channels/units.ts';
import type {
  Along,
  ChartFill,
  ChartLine,
  ChartMark,
  ChartRange,
  ChartScale,
  ChartSpec,
} from '../../ui/plot/index.ts';
import { curveFillOf, curveScaleOf, factsOf } from './curve-scale.ts';
import { joined } from './extent.ts';
import { runsDown } from './first-choice.ts';
import type { Range } from './thin.ts';
import { fieldName, groupNames, type PlotNames } from './names.ts';
import type { Content, Drawn, Statistics } from './content.ts';
import { tracksOf } from './tracks.ts';

export interface Series {
  readonly name: string;
  readonly field: string;
  readonly group: number;
  readonly color: number;
  readonly dash: number;
}

/**
 * Names and colors of all lines. With several wells, each well has a color and each field a pattern; otherwise each
 * field has a color. In panels each well has a color. Paths of a well have its color, and patterns. After the last color, patterns distinguish the lines.
 */
export function seriesOf(content: Content, names: PlotNames, colors: number): Series[] {
  const { choice, groups, lines, isPath } = content;
  const many = groups.length > 1;
  const hasWellColors = many || choice.kind === 'panels';
  const tracks = choice.kind === 'tracks' ? tracksOf(choice, channelsOf(names)) : [];
  const patternOf = (id: string, field: number): number => {
    if (!many || choice.kind === 'panels') return 0;
    return choice.kind === 'tracks'
      ? (tracks.find((fields) => fields.includes(id))?.indexOf(id) ?? 0)
      : field;
  };
  const groupWells = groups.map(([well = '']) => well);
  // The paths of a well are one group of colors.
  const wells = isPath ? [...new Set(groupWells)] : groupWells;
  const colorsOfWells = groupColors(wells, colors);
  const byGroup = isPath ? groupWells.map((well) => colorsOfWells[wells.indexOf(well)] ?? 0) : colorsOfWells;
  /** The position of a path among those of its well. */
  const pathOf = (group: number): number =>
    groups.slice(0, group).filter(([well]) => well === groups[group]?.[0]).length;
  const namesOfGroups = groupNames(content.groups, names);
  return lines.map(({ field, group }) => {
    const id = choice.y[field] ?? '';
    const well = namesOfGroups[group] ?? '';
    const place = hasWellColors ? group : field;
    return {
      field: id,
      group,
      name: many ? `${well}, ${fieldName(id, names)}` : fieldName(id, names),
      color: hasWellColors ? (byGroup[group] ?? 0) : place % colors,
      dash: isPath ? pathOf(group) : patternOf(id, field) + Math.floor(place / colors),
    };
  });
}

export interface DrawingOptions {
  readonly along: Along;
  readonly label: string;
  readonly names: PlotNames;
  /** The limits of a field, in the unit in which it is shown; absent: none. */
  readonly limitsOf?: (field: string) => readonly number[];
  readonly marks?: readonly ChartMark[];
  /** Whether the marks are on the axis upwards. */
  readonly areMarksAcross?: boolean;
  /** Of a crossplot; null: none are shown. */
  readonly statistics?: Statistics | null;
  /** The curves of each track, where they are known already. */
  readonly tracks?: readonly (readonly TrackCurve[])[] | null;
}

const channelsOf =
  ({ channelOf }: PlotNames) =>
  (field: string) =>
    channelOf?.(field) ?? null;

export interface TrackCurve {
  readonly field: string;
  readonly scale: ChartScale;
  /** The index of its color; null: each well has one. */
  readonly color: number | null;
  readonly dash: number;
}

/** At which ends of a scale values are cut off. */
function beyondOf({ left, right }: CurveScale, all: Range | null): ChartScale['beyond'] {
  if (!all) return undefined;
  const isBelow = all.from < Math.min(left, right);
  const isAbove = all.to > Math.max(left, right);
  return left < right ? { left: isBelow, right: isAbove } : { left: isAbove, right: isBelow };
}

/** The curves of each track, with their scales for the values in view. */
export function trackCurves(drawn: Drawn, series: readonly Series[], names: PlotNames): TrackCurve[][] {
  const { content } = drawn;
  const { choice, lines } = content;
  return tracksOf(choice, channelsOf(names)).map((fields) =>
    fields.map((field) => {
      const extents = lines.flatMap((line) => (choice.y[line.field] === field ? (line.extent?.y ?? []) : []));
      const facts = factsOf(names, field, extents.length > 0 ? joined(extents) : null);
      const style = choice.curves?.[field];
      const picked = picksOf(drawn, series, (pick) => pick.field === field);
      const chosen = curveScaleOf(style, facts);
      const label = fieldName(field, names);
      const auto = scaleOf(picked, label, null);
      const ownSeries = series.find((pick) => pick.field === field);
      return {
        field,
        color: content.groups.length > 1 ? null : (ownSeries?.color ?? 0),
        dash: content.groups.length > 1 ? fields.indexOf(field) : (ownSeries?.dash ?? 0),
        scale: chosen
          ? {
              ...auto,
              beyond: style?.isWrapped ? undefined : beyondOf(chosen, facts.all),
              range: { from: chosen.left, to: chosen.right },
              isLog: chosen.isLog,
              isWrapped: style?.isWrapped ?? false,
            }
          : { ...auto, range: evenRange(valuesOf(picked)) },
      };
    }),
  );
}

/** The charts of a plot: one, or one for each track or panel. */
export function chartsOf(drawn: Drawn, series: readonly Series[], options: DrawingOptions): ChartSpec[] {
  const { content, part } = drawn;
  const { choice } = content;
  const gaps = content.gaps.filter(({ from, to }) => to > part.x.from && from < part.x.to);
  const { along, label, marks = [], areMarksAcross = false, limitsOf = () => [] } = options;
  const base = { along, label, range: part.x, gaps, marks, areMarksAcross };
  if (choice.kind === 'tracks') {
    const tracks = options.tracks ?? trackCurves(drawn, series, options.names);
    return tracks.map((curves, at) => ({
      ...base,
      shape: 'track',
      axis: at === 0,
      scales: curves.map(({ field, scale }) => ({ ...scale, limits: limitsOf(field) })),
      lines: trackLines(drawn, series, curves, options.names),
    }));
  }
  const dots = choice.kind === 'scatter';
  const isPanel = choice.kind === 'panels';
  const panels = isPanel
    ? choice.y.map((field) => [[field]])
    : [dots ? [choice.y] : byUnit(choice.y, options.names)];
  return panels.map((scales, panel) => {
    const all = scales.map((fields) => picksOf(drawn, series, ({ field }) => fields.includes(field)));
    const isDown = runsDown({ ...choice, y: scales.flat() });
    return {
      ...base,
      shape: dots ? 'dots' : 'lines',
      axis: panel === panels.length - 1,
      isPanel,
      ...(dots ? crossplotOf(drawn, series, options.statistics ?? null) : {}),
      lines: all.flatMap((picked, scale) => picked.map(({ line }) => ({ ...line, scale }))),
      scales: all.map((picked, at) => {
        const label = (scales[at] ?? []).map((field) => fieldName(field, options.names)).join(', ');
        const upwards = {
          ...scaleOf(picked, label, dots ? (part.y ?? null) : null),
          limits: (scales[at] ?? []).flatMap(limitsOf),
        };
        const { from, to } = upwards.range;
        const scale = isDown ? { ...upwards, range: { from: to, to: from } } : upwards;
        return dots ? { ...scale, isLog: part.log?.y ?? false } : scale;
      }),
    };
  });
}

/** What a crossplot shows besides its dots. */
function crossplotOf(
  { content, part }: Drawn,
  series: readonly Series[],
  statistics: Statistics | null,
): Pick<ChartSpec, 'isLog' | 'isPath' | 'isToScale' | 'colorRange' | 'fits' | 'histograms'> {
  const { crossplot } = content.choice;
  const histograms = crossplot?.hasHistograms ? statistics?.histograms : undefined;
  return {
    isLog: part.log?.x ?? false,
    isPath: content.isPath,
    isToScale: content.choice.plan !== undefined,
    colorRange: content.colorRange ?? undefined,
    fits: crossplot?.hasRegression
      ? statistics?.fits.flatMap((fit, at) => (fit ? [{ ...fit, color: series[at]?.color ?? 0 }] : []))
      : undefined,
    histograms:
      histograms && runsDown(content.choice) ? { ...histograms, y: histograms.y.toReversed() } : histograms,
  };
}

function trackLines(
  drawn: Drawn,
  series: readonly Series[],
  curves: readonly TrackCurve[],
  names: PlotNames,
): ChartLine[] {
  const { curves: styles = {} } = drawn.content.choice;
  const all = curves.flatMap(({ field }, scale) =>
    picksOf(drawn, series, (pick) => pick.field === field).map(({ line, group }) => ({
      line,
      group,
      field,
      scale,
    })),
  );
  return all.map(({ line, group, field, scale }) => {
    const chosen = curveFillOf(styles[field], factsOf(names, field, null));
    const other =
      chosen.to === 'curve'
        ? all.findIndex((pick) => pick.field === chosen.field && pick.group === group)
        : -1;
    const fill: ChartFill | undefined =
      chosen.to === 'none'
        ? undefined
        : chosen.to !== 'curve'
          ? chosen
          : other === -1
            ? undefined
            : { to: 'line', line: other };
    return { ...line, scale, fill };
  });
}

interface Picked {
  readonly line: Omit<ChartLine, 'scale'>;
  readonly values: ChartRange | null;
  readonly group: number;
}

function picksOf({ lines }: Drawn, series: readonly Series[], wanted: (pick: Series) => boolean): Picked[] {
  return lines.flatMap((line, at) => {
    const pick = series[at];
    if (!pick || !wanted(pick)) return [];
    return [
      {
        line: { x: line.x, y: line.y, color: pick.color, dash: pick.dash, colorValues: line.color },
        values: line.values,
        group: pick.group,
      },
    ];
  });
}

/** Fields of the same quantity in the same unit share an axis; a field without a known unit has its own. */
function byUnit(fields: readonly string[], names: PlotNames): string[][] {
  const axis = (field: string): string => {
    const text = names.unitOf(field);
    if (text === undefined) return `?${field}`;
    const unit = likelyUnitOf(text, names.channelOf?.(field)?.quantity);
    return unit ? `${unit.quantity} ${unit.symbol}` : text;
  };
  return [...Map.groupBy(fields, axis).values()];
}

const headroom = 0.04;

function valuesOf(picked: readonly Picked[]): ChartRange {
  const seen = picked.flatMap(({ values }) => values ?? []);
  return seen.length > 0 ? joined(seen) : { from: 0, to: 1 };
}

/** The range of the visible values, with a margin; `fixed` if the user zoomed. */
function scaleOf(picked: readonly Picked[], label: string, fixed: ChartRange | null): ChartScale {
  const range = fixed ?? roomy(valuesOf(picked));
  const colors = new Set(picked.map(({ line }) => line.color));
  const [only] = colors;
  return { label, range, ...(colors.size === 1 && only !== undefined ? { color: only } : {}) };
}

/** A small margin, so that no peak touches the frame. */
export function roomy({ from, to }: ChartRange): ChartRange {
  const by = to > from ? (to - from) * headroom : Math.abs(to) * 0.1 || 1;
  return { from: from - by, to: to + by };
}

/** The steps of {@link evenRange} in a decade. */
const evenSteps = [1, 2, 5, 10];

/** A range around others with readable ends, for the heading of a track: a few steps of 1, 2, or 5. */
export function evenRange(values: ChartRange): ChartRange {
  // One value has no length.
  const { from, to } = values.to > values.from ? values : roomy(values);
  const rough = (to - from) / 5;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * (evenSteps.find((step) => step * decade >= rough * 0.999) ?? 10);
  const even = (value: number) => Number(value.toPrecision(12));
  return { from: even(Math.floor(from / step) * step), to: even(Math.ceil(to / step) * step) };
}
