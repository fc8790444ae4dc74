import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { pathId } from '../../../shared/column-paths.ts';
import { maxOf } from '../../../shared/lists.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { formatCalculated } from '../../format/numbers.ts';
import type { Distribution } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import type { Summary } from '../records/figures.ts';
import {
  assetPathOf,
  columnConverter,
  timeText,
  type TimeZone,
  type UnitChanges,
} from '../records/shown-cells.ts';
import { isTime, type ColumnHead } from '../records/table.ts';
import { shownColumns } from './grid-columns.ts';
import type { Result } from './results.ts';
import { useDrawnShape, useStableColumns } from './use-records.ts';

const w = words.results.distribution;

/** Formats numbers and times of a column, in the unit in which it is shown. */
export function valueFormat(
  column: Pick<ColumnHead, 'path' | 'kind'>,
  zone: TimeZone,
  changes: UnitChanges,
): (value: number) => string {
  const convert = columnConverter(changes, pathId(column.path));
  if (convert) return (value) => formatCalculated(convert(value));
  return (value) => (isTime(column) ? timeText(value, 'time', zone) : null) ?? formatCalculated(value);
}

const unknown: Distribution = { bars: [], lines: [], text: '' };

/** Numbers and times have a histogram and a range, other columns their most frequent values. */
export function distributionOf(
  summary: Summary,
  column: Pick<ColumnHead, 'path' | 'kind'>,
  text: (value: number) => string,
): Distribution {
  const { records, nulls, absent, sentinels, distinct, frequent } = summary;
  const empty = nulls + absent + sentinels;
  const share = empty === 0 ? [] : [w.empty(empty / records)];
  const numbers = column.kind === 'well' ? null : summary.numbers;
  const [counts, values] = numbers
    ? [numbers.min < numbers.max ? numbers.histogram : [1], rangeOf(numbers, text)]
    : [frequent.map(({ count }) => count), [empty === records ? w.none : w.distinct(distinct)]];
  const most = maxOf(counts);
  return {
    bars: empty === records ? [] : counts.map((count) => count / most),
    lines: [...values, ...share],
    text: [values.join(' '), ...share, w.rows(records)].join(', '),
  };
}

function rangeOf({ min, max }: NonNullable<Summary['numbers']>, text: (value: number) => string): string[] {
  return min === max ? [text(min)] : [text(min), w.to(text(max))];
}

/** How long summaries are gathered until the headers show them, in milliseconds. */
const gatherMs = 250;

/**
 * How the values of the visible columns are distributed in the loaded rows, by path id. One column is read after the
 * other, so that rows that come into view wait for one of them only. Undefined: they aren't shown.
 */
export function useDistributions(
  result: Result,
  heads: readonly ColumnHead[],
): ReadonlyMap<string, Distribution> | undefined {
  const { held } = result;
  const grid = useTabState('results', (state) => state.grid);
  const { zone, changes } = useTab('shown');
  const { loadAll } = useTab('results');
  const isLoading = useStore(loadAll.store, ({ status }) => status === 'running');
  const drawn = useDrawnShape(held, isLoading);
  // A column that is resized or pinned is read no other way.
  const columns = useStableColumns(
    useMemo(() => (grid.distributions ? shownColumns(heads, grid) : []), [heads, grid]),
  );
  const [gathered, setGathered] = useState<{
    readonly of: Result;
    readonly summaries: ReadonlyMap<string, Summary>;
  }>();
  useEffect(() => {
    // Also when calculated columns have other values.
    if (drawn.held === 0 || columns.length === 0) return undefined;
    let isStopped = false;
    async function readAll(): Promise<void> {
      const summaries = new Map<string, Summary>();
      const show = () =>
        setGathered((before) => ({
          of: result,
          summaries: new Map([...(before?.of === result ? before.summaries : []), ...summaries]),
        }));
      let shownAt = performance.now();
      for (const column of columns) {
        const summary = await held.summary(assetPathOf(column));
        if (isStopped) return;
        summaries.set(pathId(column.path), summary);
        if (performance.now() - shownAt < gatherMs) continue;
        shownAt = performance.now();
        show();
      }
      show();
    }
    // It fails when the result was released.
    readAll().catch(() => undefined);
    return () => {
      isStopped = true;
    };
  }, [result, held, columns, drawn]);
  const summaries = gathered?.of === result ? gathered.summaries : null;
  return useMemo(() => {
    if (!grid.distributions) return undefined;
    return new Map(
      columns.map((column) => {
        const id = pathId(column.path);
        const summary = summaries?.get(id);
        return [id, summary ? distributionOf(summary, column, valueFormat(column, zone, changes)) : unknown];
      }),
    );
  }, [grid.distributions, columns, summaries, zone, changes]);
}
