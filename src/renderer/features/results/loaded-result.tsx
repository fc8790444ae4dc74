import { lazy, Suspense, use, useMemo, useRef, type RefObject, useId } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useStore } from 'zustand';
import { Empty, Loading } from '../../ui/view-states.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { plotWords } from '../../words/plot.ts';
import { words } from '../../words/words.ts';
import { Notice } from '../../ui/notices.tsx';
import { ResultBar } from './result-bar.tsx';
import { TabContext, useAppState, useSessionState, useTab, useTabState } from '../../contexts.ts';
import { unitChanges } from '../records/unit-changes.ts';
import { listedWells } from '../wells/wells-state.ts';
import { RecordGrid } from './record-grid.tsx';
import type { Result } from './results.ts';
import { resolveZone } from './times/time-view.ts';
import { emptyReason } from './use-calculated-heads.ts';
import { useResultZones } from './use-result-zones.ts';

// Loaded with the first plot.
const ResultsPlot = lazy(() => import('./plot/results-plot.tsx'));

// Loaded with the first check.
const ResultQuality = lazy(() => import('./result-quality.tsx'));

/** A loaded result. The next one reuses its grid or plot. */
export function LoadedResult({ result }: { result: Result }) {
  const control = useRef<GridControl>(null);
  const times = useTabState('results', (state) => state.zone);
  const wells = useResultZones(useTab('results'), result);
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
      <KeepFocus className="answer-full" focusKey={result}>
        <ResultBar result={result} control={control} wells={wells} />
        <CalculatedNotices />
        {result.records === 0 ? (
          (renderEmpty?.(result.asked) ?? <Empty>{words.results.none}</Empty>)
        ) : (
          <Records result={result} control={control} />
        )}
      </KeepFocus>
    </TabContext>
  );
}

/** Why calculated columns have no values. */
function CalculatedNotices() {
  const { calculated } = useTab('results');
  const facts = useStore(calculated.store, (state) => state.facts);
  return [...facts].map(([id, fact]) => {
    const reason = emptyReason(fact);
    return (
      reason !== null && (
        <Notice key={id} tone="warning">
          {words.results.calculatedEmpty(fact.name, reason)}
        </Notice>
      )
    );
  });
}

function Records({ result, control }: { result: Result; control: RefObject<GridControl | null> }) {
  const tableId = useId();
  const plotId = useId();
  const view = useTabState('results', (state) => state.view);
  const table = <RecordGrid result={result} control={control} />;
  const plot = (
    <Suspense fallback={<Loading what={plotWords.loading} />}>
      <ResultsPlot result={result} control={view === 'both' ? control : null} />
    </Suspense>
  );
  if (view === 'table') return table;
  if (view === 'plot') return plot;
  if (view === 'quality')
    return (
      <Suspense fallback={<Loading what={words.quality.loading} />}>
        <ResultQuality result={result} />
      </Suspense>
    );
  return (
    <Group orientation="horizontal" className="answer-body">
      <Panel id={tableId} minSize="200px">
        {table}
      </Panel>
      <Separator className="divider divider-column" />
      <Panel id={plotId} minSize="240px">
        {plot}
      </Panel>
    </Group>
  );
}
