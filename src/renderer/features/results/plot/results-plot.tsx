import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { isAll, type Answered } from '../results.ts';
import type { Shape } from '../../records/answer.ts';
import type { Records } from '../../records/records.ts';
import { useShape } from '../use-shape.ts';
import { DatasetPlot } from '../../plot/dataset-plot.tsx';
import { useTab } from '../../../state/contexts.ts';
import { PlotReach } from './plot-reach.tsx';
import { recordsSource } from './records-source.ts';
import './results-plot.css';

/** What is drawn of an answer: while all of it is loaded not each page anew, but whenever there is twice as much. */
function useDrawn(records: Records): Shape {
  const { loadAll } = useTab('results');
  const loading = useStore(loadAll.store, ({ face }) => face === 'running');
  const shape = useShape(records);
  const [drawn, draw] = useState({ records, shape });
  if (drawn.shape === shape) return shape;
  if (loading && drawn.records === records && shape.held < 2 * drawn.shape.held) return drawn.shape;
  draw({ records, shape });
  return shape;
}

/** The records of an answer as a plot. */
export default function ResultsPlot({ answered }: { answered: Answered }) {
  const { dataset, plot } = useTab('results');
  const { held, asked } = answered;
  const zone = useTab('zone');
  const drawn = useDrawn(held);
  const source = useMemo(
    () => recordsSource(held, drawn, isAll(answered, drawn.held)),
    [answered, held, drawn],
  );
  return (
    <div className="plot-place">
      <PlotReach answered={answered} />
      <DatasetPlot
        connection={asked.request.connection}
        dataset={dataset}
        plot={plot}
        source={source}
        zone={zone}
      />
    </div>
  );
}
