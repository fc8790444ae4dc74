import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { recordShapeOf } from '../../../shared/quality/record-shape.ts';
import { useAppState, useTab, useTabState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { QualityView } from '../quality/quality-view.tsx';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { isCompleteResult } from './load-all.ts';
import type { Result } from './results.ts';
import { useShape, useOfLoadedRows } from './use-records.ts';

export default function ResultQuality({ result }: { result: Result }) {
  const { dataset, actions } = useTab('results');
  const { held } = result;
  const units = useTabState('results', (state) => state.units);
  const { zone, names } = useTab('shown');
  const spikeThreshold = useAppState('settings', (state) => state.values.spikeThreshold);
  const minFlatRecords = useAppState('settings', (state) => state.values.minFlatRecords);
  const synonyms = useSynonyms();
  const of = useMemo(
    () => ({
      ...recordShapeOf(dataset.type, (path) => units.get(path)),
      units,
      checks: { spikeThreshold, minFlatRecords },
      synonyms,
    }),
    [dataset.type, units, spikeThreshold, minFlatRecords, synonyms],
  );
  const report = useOfLoadedRows(
    held,
    useCallback(() => held.quality(of), [held, of]),
  );
  if (report.status === 'failed') return <Failed error={report.error} />;
  if (report.status !== 'loaded') return <Loading what={words.quality.loading} />;
  const show = async (at: number, well: string): Promise<void> => {
    // It fails when the result was released: its table isn't shown either.
    const row = await held.rowAt({ of, place: { well, at } }).catch(() => null);
    if (row !== null) await actions.showRecord(row);
  };
  return (
    <div className="stack gap-0 full surface">
      <Coverage result={result} />
      <QualityView
        report={report.value}
        title={datasetName(dataset)}
        zone={zone}
        names={names}
        onShow={(from, _to, well) => void show(from, well)}
      />
    </div>
  );
}

function Coverage({ result }: { result: Result }) {
  const { actions, loadAll: loadingAll } = useTab('results');
  const isLoading = useStore(loadingAll.store, ({ status }) => status === 'running');
  const { held } = useShape(result.held);
  const isAll = isCompleteResult(result, held);
  const { of, loadAll } = words.quality;
  return (
    <div className="quality-reach row flex-none faint-below">
      <Status>{isAll ? of.all(held) : of.loaded(held)}</Status>
      {!isAll && result.request.kind === 'find' && (
        <Button variant="quiet" isPending={isLoading} onPress={() => void actions.loadAll()}>
          {loadAll}
        </Button>
      )}
    </div>
  );
}
