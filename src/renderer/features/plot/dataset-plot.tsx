import { useMemo } from 'react';
import { type TimeZone, storedConverter, type UnitChanges } from '../records/shown-cells.ts';
import { useSession } from '../../contexts.ts';
import { wellsInConditions } from '../datasets/dataset-finder.ts';
import { PlotView, type PlotViewProps, type QueryRange } from './plot-view.tsx';
import { useShownUnits } from './use-names.ts';

export interface DatasetPlotProps extends Pick<
  PlotViewProps,
  'coverage' | 'dataset' | 'limits' | 'plot' | 'queryRange' | 'source' | 'table' | 'timeKind'
> {
  readonly zone: TimeZone;
  /** The conditions of the query as sent; null: unknown. */
  readonly conditions: string | null;
  /** Whether the fields are columns of a statement. */
  readonly isComputed?: boolean;
  /** The fields that are shown in another unit; absent: by the setting. */
  readonly changes?: UnitChanges;
  /** The units of all columns, by path id; absent: those of the dataset's fields. */
  readonly units?: ReadonlyMap<string, string>;
}

export function DatasetPlot({
  dataset,
  zone,
  conditions,
  isComputed = false,
  queryRange,
  units,
  ...otherProps
}: DatasetPlotProps) {
  const { datasets } = useSession();
  const { fields } = otherProps.source;
  const ids = useMemo(() => fields.map(({ id }) => id), [fields]);
  const { changes, names } = useShownUnits(dataset, ids, {
    changes: otherProps.changes,
    units,
    isComputed,
  });
  const requestedWells = useMemo(() => {
    const scope = conditions === null ? null : wellsInConditions(datasets, dataset, conditions);
    return scope?.kind === 'ids' ? scope.ids.map(String) : [];
  }, [conditions, datasets, dataset]);
  const range = useMemo(() => queryRange && storedRange(queryRange, changes), [queryRange, changes]);
  return (
    <PlotView
      {...otherProps}
      queryRange={range}
      changes={changes}
      dataset={dataset}
      // A time axis shows dates, never raw milliseconds: UTC stands in for "as sent".
      zone={zone ?? 'UTC'}
      names={names}
      requestedWells={requestedWells}
    />
  );
}

function storedRange({ field, use }: QueryRange, changes: UnitChanges): QueryRange {
  const convert = storedConverter(changes, field);
  return convert
    ? { field, use: ({ from, to }) => use({ from: convert(from), to: convert(to) }) }
    : { field, use };
}
