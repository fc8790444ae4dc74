import { useMemo } from 'react';
import { useResults, useResultsState } from '../results/context.ts';
import type { Records } from '../results/records/records.ts';
import { useShape } from '../results/use-shape.ts';
import { usePlotNeeds } from './context.ts';
import PlotView from './plot-view.tsx';
import { recordsSource } from './records-source.ts';
import { useNames } from './use-names.ts';

/** The records of an answer as a plot. */
export default function ResultsPlot({ records, connection }: { records: Records; connection: string }) {
  const { dataset, plot } = useResults();
  const zone = useResultsState(({ zone }) => (zone === 'local' ? zone : 'utc'));
  const { save } = usePlotNeeds();
  const shape = useShape(records);
  const source = useMemo(() => recordsSource(records, shape), [records, shape]);
  const names = useNames(connection, dataset);
  return (
    <PlotView
      plot={plot}
      source={source}
      type={dataset.type}
      title={dataset.friendlyName || dataset.dataset}
      zone={zone}
      names={names}
      save={save}
    />
  );
}
