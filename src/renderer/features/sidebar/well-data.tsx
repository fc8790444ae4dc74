import { Radio, Table2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { datasetName, type Dataset } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { ScopedWell } from '../../../shared/wells/scope.ts';
import { useSession, useSessionState } from '../../contexts.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import { valueOr } from '../../state/loadable.ts';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { addressText, typeText } from '../datasets/search.ts';
import { openLiveOfWell } from '../live/live-kind.ts';
import { openDataset } from '../query/open-query.ts';
import { findWellData, maxSearched } from './open-well.ts';

const w = words.wells.data;

interface WellDataProps {
  readonly well: ScopedWell;
  readonly onOpened: () => void;
}

async function showEach(
  datasets: AsyncIterable<Dataset>,
  show: (dataset: Dataset) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const dataset of datasets) if (!signal.aborted) show(dataset);
}

/** The datasets that have records of a well, found while it is shown; each opens for this well. */
export function WellData({ well, onOpened }: WellDataProps) {
  const session = useSession();
  const list = useSessionState('datasets', (state) => state.list);
  const total = valueOr(list, []).length;
  const [datasets, setDatasets] = useState<readonly Dataset[]>([]);
  const [status, setStatus] = useState<'searching' | 'done' | AppError>('searching');
  useEffect(() => {
    const search = createLatestTask();
    const show = (dataset: Dataset) => {
      const isNew = (before: readonly Dataset[]) =>
        before.every((other) => addressText(other) !== addressText(dataset));
      // A list of wells that is loaded again starts the search again.
      setDatasets((before) => (isNew(before) ? [...before, dataset] : before));
    };
    void search.run((signal) => showEach(findWellData(session, well, signal), show, signal), {
      onDone: () => setStatus('done'),
      onFailed: setStatus,
      onCanceled: () => undefined,
    });
    return search.drop;
  }, [session, well]);
  return (
    <section className="well-data-place" aria-label={w.heading(well.name)}>
      <h3>{w.title}</h3>
      <ul className="well-data">
        {datasets.map((dataset) => (
          <WellDataset key={addressText(dataset)} well={well} dataset={dataset} onOpened={onOpened} />
        ))}
      </ul>
      {typeof status === 'object' ? (
        <Failed error={status} />
      ) : (
        <Status className="quiet">
          {status === 'searching' ? w.searching(Math.min(total, maxSearched)) : w.found(datasets.length)}
          {total > maxSearched && ` ${w.more(maxSearched)}`}
        </Status>
      )}
    </section>
  );
}

function WellDataset({ well, dataset, onOpened }: WellDataProps & { readonly dataset: Dataset }) {
  const session = useSession();
  const { type } = dataset;
  const name = datasetName(dataset);
  return (
    <li className="row gap-1">
      <Button
        variant="quiet"
        icon={Table2}
        aria-label={w.openDataset(addressText(dataset))}
        onPress={() => {
          void openDataset(session, dataset, { wells: [well], isPreview: true });
          onOpened();
        }}
      >
        {name}
      </Button>
      <span className="quiet small">{typeText(dataset)}</span>
      {type === 'time' && (
        <Button
          variant="quiet"
          icon={Radio}
          aria-label={w.followDataset(addressText(dataset))}
          onPress={() => {
            openLiveOfWell(session, dataset, well);
            onOpened();
          }}
        >
          {w.follow}
        </Button>
      )}
    </li>
  );
}
