import { useMemo } from 'react';
import { datasetShapes, type Dataset } from '../../../shared/datasets/datasets.ts';
import { readScope } from '../../../shared/language/text/scope.ts';
import type { TimeZone } from '../records/cell-text.ts';
import { useApp } from '../../state/contexts.ts';
import type { Plot } from './plot.ts';
import { PlotView, type PlotViewProps } from './plot-view.tsx';
import type { PlotSource } from './source.ts';
import { useNames } from './use-names.ts';

export interface DatasetPlotProps extends Pick<PlotViewProps, 'coverage' | 'queryRange' | 'table'> {
  readonly connection: string;
  readonly dataset: Dataset;
  /** The user's selections, stored with the tab. */
  readonly plot: Plot;
  readonly source: PlotSource;
  readonly zone: TimeZone;
  /** The query as sent; null: it isn't one of records. */
  readonly query: string | null;
}

/** Records of a dataset as a plot, with the names of their wells and the units of their fields. */
export function DatasetPlot({ connection, dataset, zone, query, ...others }: DatasetPlotProps) {
  const { save } = useApp();
  const names = useNames(connection, dataset);
  const path = dataset.type && datasetShapes[dataset.type].scopeField;
  const askedWells = useMemo(() => {
    const scope = query === null || path === null ? null : readScope(query, path);
    return scope?.kind === 'ids' ? scope.ids.map(String) : [];
  }, [query, path]);
  return (
    <PlotView
      {...others}
      type={dataset.type}
      title={dataset.friendlyName || dataset.dataset}
      // A time axis shows dates, never raw milliseconds: UTC stands in for "as sent".
      zone={zone ?? 'UTC'}
      names={names}
      askedWells={askedWells}
      save={save}
    />
  );
}
