import { unitOf } from '../../../shared/channels/units.ts';
import type { Along, ChartLine, ChartRange, ChartScale, ChartSpec } from '../../ui/plot/index.ts';
import { joined } from './extent.ts';
import { fieldName, groupName, type PlotNames } from './names.ts';
import type { Content, Drawn } from './scene.ts';

/** The name and color of one line. */
export interface Series {
  readonly name: string;
  readonly field: string;
  readonly group: number;
  readonly color: number;
  readonly dash: number;
}

/**
 * Names and colors of all lines. With several wells, each well has a color and each field a pattern; otherwise each
 * field has a color. After the last color, patterns distinguish the lines.
 */
export function seriesOf({ choice, groups, lines }: Content, names: PlotNames, colors: number): Series[] {
  const many = groups.length > 1;
  return lines.map(({ field, group }) => {
    const id = choice.y[field] ?? '';
    const well = groupName(groups[group] ?? [], names);
    const place = many ? group : field;
    const pattern = many && choice.kind !== 'tracks' ? field : 0;
    return {
      field: id,
      group,
      name: many ? `${well}, ${fieldName(id, names)}` : fieldName(id, names),
      color: place % colors,
      dash: pattern + Math.floor(place / colors),
    };
  });
}

export interface DrawingOptions {
  readonly along: Along;
  readonly label: string;
  readonly names: PlotNames;
}

/** The charts of a plot: one, or one for each field in tracks. */
export function chartsOf(drawn: Drawn, series: readonly Series[], options: DrawingOptions): ChartSpec[] {
  const { content, part } = drawn;
  const { choice } = content;
  const gaps = content.gaps.filter(({ from, to }) => to > part.x.from && from < part.x.to);
  const base = { along: options.along, label: options.label, range: part.x, gaps };
  if (choice.kind === 'tracks') {
    return choice.y.map((field, at) => {
      const picked = picksOf(drawn, series, (one) => one.field === field);
      return {
        ...base,
        shape: 'track',
        axis: at === 0,
        lines: picked.map(({ line }) => ({ ...line, scale: 0 })),
        scales: [scaleOf(picked, fieldName(field, options.names), null)],
      };
    });
  }
  const dots = choice.kind === 'scatter';
  const scales = dots ? [choice.y] : byUnit(choice.y, options.names);
  const all = scales.map((fields) => picksOf(drawn, series, ({ field }) => fields.includes(field)));
  return [
    {
      ...base,
      shape: dots ? 'dots' : 'lines',
      axis: true,
      lines: all.flatMap((picked, scale) => picked.map(({ line }) => ({ ...line, scale }))),
      scales: all.map((picked, at) => {
        const label = (scales[at] ?? []).map((field) => fieldName(field, options.names)).join(', ');
        return scaleOf(picked, label, dots ? (part.y ?? null) : null);
      }),
    },
  ];
}

interface Pick {
  readonly line: Omit<ChartLine, 'scale'>;
  readonly values: ChartRange | null;
}

function picksOf({ lines }: Drawn, series: readonly Series[], wanted: (one: Series) => boolean): Pick[] {
  return lines.flatMap((line, at) => {
    const one = series[at];
    if (!one || !wanted(one)) return [];
    return [{ line: { x: line.x, y: line.y, color: one.color, dash: one.dash }, values: line.values }];
  });
}

/** Fields of the same quantity in the same unit share an axis; a field without a known unit has its own. */
function byUnit(fields: readonly string[], names: PlotNames): string[][] {
  const axis = (field: string): string => {
    const text = names.unitOf(field);
    if (text === undefined) return `?${field}`;
    // A text can be a unit of several quantities, such as kg of a force.
    const unit = unitOf(text, names.quantityOf?.(field)) ?? unitOf(text);
    return unit ? `${unit.quantity} ${unit.symbol}` : text;
  };
  return [...Map.groupBy(fields, axis).values()];
}

const headroom = 0.04;

/** The range of the visible values, with a margin; `fixed` if the user zoomed. */
function scaleOf(picked: readonly Pick[], label: string, fixed: ChartRange | null): ChartScale {
  const seen = picked.flatMap(({ values }) => values ?? []);
  const range = fixed ?? roomy(seen.length > 0 ? joined(seen) : { from: 0, to: 1 });
  const colors = new Set(picked.map(({ line }) => line.color));
  const [only] = colors;
  return { label, range, ...(colors.size === 1 && only !== undefined ? { color: only } : {}) };
}

/** A small margin, so that no peak touches the frame. */
export function roomy({ from, to }: ChartRange): ChartRange {
  const by = to > from ? (to - from) * headroom : Math.abs(to) * 0.1 || 1;
  return { from: from - by, to: to + by };
}
