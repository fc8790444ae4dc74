import { useMemo } from 'react';
import { useStore } from 'zustand';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { DatasetPlot } from '../plot/dataset-plot.tsx';
import { resolveZone } from '../results/times/time-view.ts';
import { scopeFieldOf } from '../../../shared/datasets/shapes.ts';
import { assetIdsOf, useWellZones } from '../results/times/use-well-zones.ts';
import type { TimeZone } from '../records/cell-text.ts';
import type { WellZones } from '../results/times/well-zones.ts';
import { LatestTable } from './latest-table.tsx';
import { LiveBar } from './live-bar.tsx';
import { LiveGrid } from './live-grid.tsx';
import type { LiveTab } from './live-tab.ts';
import '../results/results.css';
import './live.css';

/** A live view: the state of its stream, and its newest records as a plot or a table. */
export default function LiveTabView({ tab }: { tab: LiveTab }) {
  const wells = useLiveZones(tab);
  const times = useStore(tab.store, (state) => state.zone);
  const hasRecords = useStore(tab.store, (state) => state.kept > 0);
  return (
    <section className="live-tab" aria-label={words.live.region}>
      <LiveBar tab={tab} wells={wells} />
      {hasRecords && <LatestTable tab={tab} />}
      <Body tab={tab} zone={resolveZone(times, wells)} />
    </section>
  );
}

/** The number of newest records that determine the wells. */
const maxZoneRecords = 200;

/** The time zones of the wells in the newest records. */
function useLiveZones({ store, records, subject }: LiveTab): WellZones {
  const path = scopeFieldOf(subject.dataset.type);
  // As text: the array is new with each record, the wells rarely change.
  const assetIds = useStore(store, ({ kept }) => {
    const cells = Array.from({ length: Math.min(kept, maxZoneRecords) }, (_, row) => records.cell(path, row));
    return assetIdsOf(cells, subject.query, path).join(' ');
  });
  const assets = useMemo(() => (assetIds === '' ? [] : assetIds.split(' ').map(Number)), [assetIds]);
  return useWellZones(assets);
}

function Body({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const kept = useStore(tab.store, (state) => state.kept);
  const status = useStore(tab.store, (state) => state.stream);
  const view = useStore(tab.store, (state) => state.view);
  const hasAnswered = useStore(tab.store, (state) => state.answeredAt !== null);
  if (kept > 0)
    return view === 'plot' ? <LivePlot tab={tab} zone={zone} /> : <LiveGrid tab={tab} zone={zone} />;
  if (status.status === 'stopped') return <Failed error={status.error} onRetry={tab.actions.resume} />;
  if (status.status === 'starting')
    return <Loading what={words.live.starting(datasetName(tab.subject.dataset))} />;
  return <Empty>{hasAnswered ? words.live.none : words.live.noAnswer}</Empty>;
}

function LivePlot({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const { dataset, connection, query } = tab.subject;
  const version = useStore(tab.store, (state) => state.version);
  const source = useMemo(() => ({ version, ...tab.records.source() }), [tab, version]);
  return (
    <DatasetPlot
      connection={connection}
      dataset={dataset}
      plot={tab.plot}
      timeKind="panels"
      source={source}
      zone={zone}
      query={query}
    />
  );
}
