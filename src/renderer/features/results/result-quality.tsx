import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { synonymsOf } from '../../../shared/channels/synonyms.ts';
import { datasetName, type DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import { rangeFieldOf } from '../../../shared/language/text/range.ts';
import { toAppError } from '../../../shared/errors/errors.ts';
import type { QualityReport } from '../../../shared/quality/report.ts';
import { failed, loaded, loading, type Loadable } from '../../state/loadable.ts';
import { useAppState, useTab, useTabState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { QualityView } from '../quality/quality-view.tsx';
import type { QualityOfRecords } from '../records/check-records.ts';
import { isCompleteResult } from './limits.ts';
import type { Result } from './results.ts';
import { useShape } from './use-shape.ts';
import { watchGrowth } from './watch-growth.ts';

/** The quality of the loaded records of a result. */
export default function ResultQuality({ answered }: { answered: Result }) {
  const results = useTab('results');
  const { dataset, actions, loadAll } = results;
  const { held } = answered;
  const units = useTabState('results', (state) => state.units);
  const zone = useTab('zone');
  const spikeThreshold = useAppState('settings', (state) => state.values.spikeThreshold);
  const minFlatRecords = useAppState('settings', (state) => state.values.minFlatRecords);
  const channelNames = useAppState('settings', (state) => state.stored.channelNames);
  const of = useMemo(
    () => ({
      ...recordFields(dataset.type, units),
      checks: { spikeThreshold, minFlatRecords },
      synonyms: synonymsOf(channelNames),
    }),
    [dataset.type, units, spikeThreshold, minFlatRecords, channelNames],
  );
  const report = useReport(answered, of);
  const isLoading = useStore(loadAll.store, ({ status }) => status === 'running');
  if (report.status === 'failed') return <Failed error={report.error} />;
  if (report.status !== 'loaded') return <Loading what={words.quality.loading} />;
  const show = async (at: number, well: string): Promise<void> => {
    const row = await held.rowAt(of, { well, at });
    if (row !== null) await actions.showRecord(row);
  };
  return (
    <div className="answer-full">
      <Coverage answered={answered} onLoadAll={() => void actions.loadAll()} isLoading={isLoading} />
      <QualityView
        report={report.value}
        title={datasetName(dataset)}
        zone={zone}
        onShow={(from, _to, well) => void show(from, well)}
      />
    </div>
  );
}

/** What is checked: the loaded records, and how to check all. */
function Coverage({
  answered,
  onLoadAll,
  isLoading,
}: {
  answered: Result;
  onLoadAll: () => void;
  isLoading: boolean;
}) {
  const { held } = useShape(answered.held);
  const isAll = isCompleteResult(answered, held);
  const { of, loadAll } = words.quality;
  return (
    <div className="quality-reach row">
      <Status>{isAll ? of.all(held) : of.loaded(held)}</Status>
      {!isAll && answered.asked.kind === 'find' && (
        <Button variant="quiet" isPending={isLoading} onPress={onLoadAll}>
          {loadAll}
        </Button>
      )}
    </div>
  );
}

/** The report of the loaded rows, updated when more are loaded. */
function useReport({ held }: Result, of: QualityOfRecords): Loadable<QualityReport> {
  const { loadAll } = useTab('results');
  const [report, setReport] = useState<Loadable<QualityReport>>(loading);
  useEffect(() => {
    let isShown = true;
    const stop = watchGrowth(held, loadAll, async () => {
      const next = await held.quality(of).then(loaded, (error: unknown) => failed(toAppError(error)));
      if (isShown) setReport(next);
    });
    return () => {
      isShown = false;
      stop();
    };
  }, [held, loadAll, of]);
  return report;
}

/** Where the records of a dataset have their index and their well. */
function recordFields(
  type: DatasetType | null,
  units: ReadonlyMap<string, string>,
): Omit<QualityOfRecords, 'checks' | 'synonyms'> {
  const shape = type === null ? null : datasetShapes[type];
  const range = rangeFieldOf(type);
  return {
    index: range && {
      field: range.path,
      kind: range.of,
      unit: range.of === 'time' ? 's' : (units.get(range.path) ?? null),
    },
    wellField: shape?.scopeField ?? null,
    logField: shape?.indexScope ?? null,
    units,
  };
}
