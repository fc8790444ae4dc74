import { useMemo } from 'react';
import { valueOrNaN } from '../../../shared/upload/null-tokens.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';
import { formatCount } from '../../format/numbers.ts';
import { useLoaded } from '../../state/resource.ts';
import { extentText, seriesColors } from '../../ui/plot/index.ts';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { groupColors } from '../../ui/well-dot.tsx';
import { plotWords } from '../../words/plot.ts';
import { columnConverter, type UnitChanges } from '../records/shown-cells.ts';
import { categoryFields, isWellField, shownFields } from './first-choice.ts';
import type { PlotViewProps } from './plot-view.tsx';
import { maxGroups } from '../records/figures.ts';
import { fieldName, groupCountText, groupName, type PlotNames } from './names.ts';
import { KindBox, LabeledSelect } from './plot-bar.tsx';
import type { PlotSource } from './source.ts';

/** More bars than a person compares are a table. */
const maxBars = 300;

interface BarRow {
  readonly names: readonly string[];
  readonly value: number;
}

interface Bars {
  readonly rows: readonly BarRow[];
  /** How many categories there are, up to one beyond {@link maxGroups}. */
  readonly all: number;
  /** Whether a bar is the mean of several records. */
  readonly areMeans: boolean;
}

/** The value of each category, in the order of the records; of several records, their mean. */
export async function barsOf(
  source: Pick<PlotSource, 'numbers' | 'groups'>,
  categories: readonly string[],
  field: string,
): Promise<Bars> {
  const [[values = new Float64Array()], { codes, names }] = await Promise.all([
    source.numbers([field]),
    source.groups(categories),
  ]);
  // The last one beyond the maximum has the records of all others.
  const hasOthers = names.length > maxGroups;
  const sums = names.slice(0, maxGroups).map(() => ({ sum: 0, count: 0 }));
  values.forEach((stored, row) => {
    const value = valueOrNaN(stored);
    const of = sums[codes[row] ?? 0];
    if (!of || Number.isNaN(value)) return;
    of.sum += value;
    of.count += 1;
  });
  const rows = names.flatMap((name, at): BarRow[] => {
    const { sum = 0, count = 0 } = sums[at] ?? {};
    return count === 0 ? [] : [{ names: name, value: sum / count }];
  });
  return {
    rows: rows.slice(0, maxBars),
    all: hasOthers ? names.length : rows.length,
    areMeans: sums.some(({ count }) => count > 1),
  };
}

/** A bar for each category, such as the hours of each state. */
export function BarChart(props: PlotViewProps & { choice: PlotChoice }) {
  const { plot, choice, source, names, changes } = props;
  const { type } = props.dataset;
  const options = shownFields(source.fields).map(({ id }) => ({ id, text: fieldName(id, names) }));
  const field = choice.y.find((id) => options.some((option) => option.id === id)) ?? options[0]?.id ?? '';
  const categories = useMemo(() => categoryFields(type, source.fields), [type, source]);
  const loaded = useLoaded(
    useMemo(() => () => barsOf(source, categories, field), [source, categories, field]),
  );
  return (
    <>
      <div className="plot-bar toolbar">
        <KindBox {...props} isWide={false} />
        <LabeledSelect
          label={plotWords.bars.value}
          value={field}
          options={options}
          onChange={(id) => plot.actions.choose({ ...choice, y: [id] })}
        />
      </div>
      <div className="pad-x-3">{props.coverage}</div>
      {loaded.status === 'failed' ? (
        <Failed error={loaded.error} />
      ) : loaded.status === 'loaded' ? (
        <BarTable bars={loaded.value} field={field} categories={categories} names={names} changes={changes} />
      ) : (
        <Loading what={plotWords.drawing} />
      )}
    </>
  );
}

export interface BarTableProps {
  readonly bars: Bars;
  readonly field: string;
  readonly categories: readonly string[];
  readonly names: PlotNames;
  readonly changes: UnitChanges;
}

/** Also drawn outside of the window, where no style but its own applies. */
export function BarTable({ bars, field, categories, names, changes }: BarTableProps) {
  const convert = columnConverter(changes, field);
  const values = bars.rows.map(({ value }) => convert?.(value) ?? value);
  const [low, high] = [minOf([0, ...values]), maxOf([0, ...values])];
  const length = high - low || 1;
  const wells = [...new Set(bars.rows.map(({ names: [first = ''] }) => first))];
  const colors = groupColors(wells, seriesColors);
  const hasWells = isWellField({ id: categories[0] ?? '' });
  const textOf = ([first = '', ...others]: readonly string[]): string =>
    hasWells ? groupName([first, ...others], names) : [first, ...others].filter(Boolean).join(' · ');
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="fill scroll pad-3 stack gap-2" aria-label={plotWords.bars.region} tabIndex={0}>
      <h3>{plotWords.bars.heading(fieldName(field, names), bars.areMeans)}</h3>
      {bars.all > bars.rows.length && (
        <p className="quiet">
          {plotWords.bars.more(formatCount(bars.rows.length), groupCountText(bars.all))}
        </p>
      )}
      <table className="numbers">
        <tbody>
          {bars.rows.map(({ names: category }, at) => {
            const value = values[at] ?? 0;
            return (
              <tr key={category.join('\n')}>
                <th scope="row" className="one-line end">
                  {textOf(category)}
                </th>
                <td className="pad-x-3" style={{ width: '100%' }} aria-hidden>
                  <div
                    style={{
                      height: '1em',
                      marginInlineStart: `${((Math.min(value, 0) - low) / length) * 100}%`,
                      width: `${(Math.abs(value) / length) * 100}%`,
                      backgroundColor: `var(--series-${(hasWells ? (colors[wells.indexOf(category[0] ?? '')] ?? 0) : 0) + 1})`,
                    }}
                  />
                </td>
                <td className="end">{extentText(value)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
