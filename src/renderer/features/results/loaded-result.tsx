import { lazy, Suspense, use, useMemo, useRef, type RefObject } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Empty, Loading } from '../../ui/view-states.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { plotWords } from '../../words/plot.ts';
import { words } from '../../words/words.ts';
import { CalculatedNotices } from './calculated-notices.tsx';
import { ResultBar } from './result-bar.tsx';
import { TabContext, useAppState, useSessionState, useTab, useTabState } from '../../contexts.ts';
import { unitChanges } from '../records/unit-changes.ts';
import { listedWells } from '../wells/wells-state.ts';
import { RecordGrid } from './record-grid.tsx';
import type { Result } from './results.ts';
import { resolveZone } from './times/time-view.ts';
import { useResultZones } from './use-result-zones.ts';

// Loaded with the first plot.
const ResultsPlot = lazy(() => import('./plot/results-plot.tsx'));

// Loaded with the first check.
const ResultQuality = lazy(() => import('./result-quality.tsx'));

/** A loaded result. The next one reuses its grid or plot. */
export function LoadedResult({ answered }: { answered: Result }) {
  const control = useRef<GridControl>(null);
  const times = useTabState('results', (state) => state.zone);
  const wells = useResultZones(useTab('results'), answered);
  const zone = resolveZone(times, wells);
  const wellNames = useSessionState('wells', listedWells).names;
  const units = useTabState('results', (state) => state.units);
  const ownUnits = useTabState('results', (state) => state.grid.units);
  const system = useAppState('settings', (state) => state.values.units);
  const changes = useMemo(() => unitChanges(units, system, ownUnits), [units, system, ownUnits]);
  const tab = use(TabContext);
  const { renderEmpty } = useTab('links');
  return (
    <TabContext
      value={useMemo(() => ({ ...tab, zone, wellNames, changes }), [tab, zone, wellNames, changes])}
    >
      <KeepFocus className="answer-full" focusKey={answered}>
        <ResultBar answered={answered} control={control} wells={wells} />
        <CalculatedNotices />
        {answered.records === 0 ? (
          (renderEmpty?.(answered.asked) ?? <Empty>{words.results.none}</Empty>)
        ) : (
          <Records answered={answered} control={control} />
        )}
      </KeepFocus>
    </TabContext>
  );
}

/** The records in the selected view. */
function Records({ answered, control }: { answered: Result; control: RefObject<GridControl | null> }) {
  const view = useTabState('results', (state) => state.view);
  const table = <RecordGrid answered={answered} control={control} />;
  const plot = (
    <Suspense fallback={<Loading what={plotWords.loading} />}>
      <ResultsPlot answered={answered} control={view === 'both' ? control : null} />
    </Suspense>
  );
  if (view === 'table') return table;
  if (view === 'plot') return plot;
  if (view === 'quality')
    return (
      <Suspense fallback={<Loading what={words.quality.loading} />}>
        <ResultQuality answered={answered} />
      </Suspense>
    );
  return (
    <Group orientation="horizontal" className="answer-body">
      <Panel id="table" minSize="200px">
        {table}
      </Panel>
      <Separator className="divider divider-column" />
      <Panel id="plot" minSize="240px">
        {plot}
      </Panel>
    </Group>
  );
}
