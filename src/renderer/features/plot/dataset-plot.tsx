import { useMemo } from 'react';
import { datasetName, type Dataset, datasetShapes } from '../../../shared/datasets/datasets.ts';
import { readScope } from '../../../shared/language/text/conditions.ts';
import { type TimeZone, storedConverter, type UnitChanges } from '../records/shown-cells.ts';
import { useApp } from '../../contexts.ts';
import type { Plot } from './plot.ts';
import { PlotView, type PlotViewProps, type QueryRange } from './plot-view.tsx';
import type { PlotSource } from './source.ts';
import { useShownUnits } from './use-names.ts';

export interface DatasetPlotProps extends Pick<
  PlotViewProps,
  'coverage' | 'limits' | 'queryRange' | 'table' | 'timeKind'
> {
  readonly connection: string;
  readonly dataset: Dataset;
  /** The user's selections, stored with the tab. */
  readonly plot: Plot;
  readonly source: PlotSource;
  readonly zone: TimeZone;
  /** The query as sent; null: it isn't one of records. */
  readonly query: string | null;
  /** The fields that are shown in another unit; absent: by the setting. */
  readonly changes?: UnitChanges;
  /** The units of all columns, by path id; absent: those of the dataset's fields. */
  readonly units?: ReadonlyMap<string, string>;
}

/** Records of a dataset as a plot, with the names of their wells and the units of their fields. */
export function DatasetPlot({
  connection,
  dataset,
  zone,
  query,
  queryRange,
  units,
  ...otherProps
}: DatasetPlotProps) {
  const { save } = useApp();
  const { fields } = otherProps.source;
  const ids = useMemo(() => fields.map(({ id }) => id), [fields]);
  const { changes, names } = useShownUnits(connection, dataset, ids, {
    changes: otherProps.changes,
    units,
    isComputed: query === null,
  });
  const path = dataset.type && datasetShapes[dataset.type].scopeField;
  const requestedWells = useMemo(() => {
    const scope = query === null || path === null ? null : readScope(query, path);
    return scope?.kind === 'ids' ? scope.ids.map(String) : [];
  }, [query, path]);
  return (
    <PlotView
      {...otherProps}
      connection={connection}
      queryRange={queryRange && storedRange(queryRange, changes)}
      changes={changes}
      dataset={dataset}
      type={dataset.type}
      title={datasetName(dataset)}
      // A time axis shows dates, never raw milliseconds: UTC stands in for "as sent".
      zone={zone ?? 'UTC'}
      names={names}
      requestedWells={requestedWells}
      save={save}
    />
  );
}

function storedRange({ field, use }: QueryRange, changes: UnitChanges): QueryRange {
  const convert = storedConverter(changes, field);
  return convert
    ? { field, use: ({ from, to }) => use({ from: convert(from), to: convert(to) }) }
    : { field, use };
}
