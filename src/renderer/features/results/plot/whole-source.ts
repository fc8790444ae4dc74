import { pathId } from '../../../../shared/column-paths.ts';
import type { CalculatedColumn } from '../../../../shared/calculated/calculated.ts';
import { type DatasetType, datasetShapes } from '../../../../shared/datasets/datasets.ts';
import type { PlotChoice } from '../../../../shared/tabs/plot.ts';
import { plotWords } from '../../../words/plot.ts';
import { groupFields } from '../../plot/first-choice.ts';
import { plotFieldOf, type PlotSource } from '../../plot/source.ts';
import type { Records } from '../../records/records.ts';
import type { ResultShape } from '../../records/result.ts';
import { columnConverter, type UnitChanges } from '../../records/shown-cells.ts';
import type { ColumnHead } from '../../records/table.ts';
import { isLimited } from '../load-all.ts';
import type { Result } from '../results.ts';
import type { WholeSpec } from '../whole-range.ts';

/** The loaded records as a source for plots. @param all whether these are all matching records */
export function recordsSource(records: Records, shape: ResultShape, all: boolean): PlotSource {
  const last = lastSources.get(shape);
  if (last?.all === all) return last.source;
  const source = newSource(records, shape, all);
  lastSources.set(shape, { all, source });
  return source;
}

/** A plot that is shown again has the same source. */
const lastSources = new WeakMap<ResultShape, { readonly all: boolean; readonly source: PlotSource }>();

function newSource(records: Records, shape: ResultShape, all: boolean): PlotSource {
  const { rows, columns, held, gaps } = shape;
  const paths = new Map(columns.map(({ path }) => [pathId(path), path]));
  const pathsOf = (ids: readonly string[]) => ids.flatMap((id) => [paths.get(id) ?? []]);
  return {
    rows,
    part: all ? null : { selected: false, count: held, gaps },
    fields: columns.map(plotFieldOf),
    numbers: (ids) => records.numbers(pathsOf(ids)),
    groups: (ids) => records.groups(pathsOf(ids)),
  };
}

/** A field that an expression of a pipeline can name. */
const isNamable = ({ path }: ColumnHead): boolean => path.every((name) => !/^$|[.$]/.test(name));

/**
 * What to request for a plot of all records that match the find of a result.
 * @param plot what it shows of which columns, and those that are calculated here
 * @returns null: the plot can only draw loaded rows, or they are all
 */
export function wholeSpecOf(
  result: Result,
  type: DatasetType | null,
  plot: {
    readonly choice: PlotChoice;
    readonly columns: readonly ColumnHead[];
    readonly calculated: readonly CalculatedColumn[];
  },
): WholeSpec | null {
  const { choice, columns, calculated } = plot;
  const heads = columns.map(plotFieldOf);
  const calculatedIds = new Set(calculated.map(({ name }) => pathId([name])));
  const stored = new Set(
    columns
      .filter(isNamable)
      .map(({ path }) => pathId(path))
      .filter((id) => !calculatedIds.has(id)),
  );
  const fields = choice.y.filter((id) => heads.some((head) => head.id === id));
  const index = type === 'time' || type === 'depth' ? datasetShapes[type].indexField : null;
  const { dataUrl } = result;
  const find = result.request.kind === 'find' ? result.request.request : null;
  return find !== null &&
    find.skip === 0 &&
    isLimited(result) &&
    index !== null &&
    choice.x === index &&
    ['lines', 'panels', 'tracks'].includes(choice.kind) &&
    fields.length > 0 &&
    fields.every((id) => stored.has(id))
    ? { find, dataUrl, index, isTime: type === 'time', groups: groupFields(type, heads), fields }
    : null;
}

interface StepFacts extends Pick<WholeSpec, 'index' | 'isTime'> {
  /** Whether some are shorter. */
  readonly hasShorter: boolean;
  readonly changes: UnitChanges;
  readonly units: ReadonlyMap<string, string>;
}

/** The width of steps in words, in the unit in which the index is shown; null: they are records. */
export function stepTextOf(
  width: number,
  { index, isTime, hasShorter, changes, units }: StepFacts,
): string | null {
  if (width === 0) return null;
  const unit = changes[index]?.to ?? units.get(index) ?? '';
  const shown = columnConverter(changes, index)?.(width) ?? width;
  return plotWords.whole.step(shown, isTime ? null : unit, hasShorter);
}
