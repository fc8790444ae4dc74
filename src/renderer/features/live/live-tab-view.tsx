import { useMemo } from 'react';
import { useStore } from 'zustand';
import { Empty, Failed, Loading } from '../../ui/faces.tsx';
import { words } from '../../words/words.ts';
import { usePlotNeeds } from '../plot/context.ts';
import PlotView from '../plot/plot-view.tsx';
import { useNames } from '../plot/use-names.ts';
import { LiveBar } from './live-bar.tsx';
import { LiveGrid } from './live-grid.tsx';
import type { LiveTab } from './live-tab.ts';
import './live.css';

/** A dataset that is followed: what state that is in, and the newest records as a plot or a table. */
export default function LiveTabView({ tab }: { tab: LiveTab }) {
  return (
    <section className="live" aria-label={words.live.region}>
      <LiveBar tab={tab} />
      <Body tab={tab} />
    </section>
  );
}

function Body({ tab }: { tab: LiveTab }) {
  const kept = useStore(tab.store, (state) => state.kept);
  const status = useStore(tab.store, (state) => state.status);
  const view = useStore(tab.store, (state) => state.view);
  if (kept > 0) return view === 'plot' ? <LivePlot tab={tab} /> : <LiveGrid tab={tab} />;
  if (status.face === 'stopped') return <Failed error={status.error} onRetry={tab.actions.resume} />;
  if (status.face === 'starting') return <Loading what={words.live.starting(tab.subject.dataset.dataset)} />;
  return <Empty>{words.live.none}</Empty>;
}

function LivePlot({ tab }: { tab: LiveTab }) {
  const { dataset, connection } = tab.subject;
  const version = useStore(tab.store, (state) => state.version);
  const zone = useStore(tab.store, (state) => state.zone);
  const { save } = usePlotNeeds();
  const names = useNames(connection, dataset);
  const source = useMemo(() => ({ version, ...tab.records.source() }), [tab, version]);
  return (
    <PlotView
      plot={tab.plot}
      source={source}
      type={dataset.type}
      title={dataset.friendlyName || dataset.dataset}
      zone={zone}
      names={names}
      save={save}
    />
  );
}
