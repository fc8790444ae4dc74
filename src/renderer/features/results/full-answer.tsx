import { lazy, Suspense, use, useMemo, useRef, type RefObject } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Empty, Loading } from '../../ui/view-states.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { AnswerBar } from './answer-bar.tsx';
import { pathId } from '../records/columns.ts';
import { TabContext, useTab, useTabState } from '../../state/contexts.ts';
import { RecordGrid } from './record-grid.tsx';
import type { Answered } from './results.ts';
import { zoneOf } from './times/time-view.ts';
import { assetsIn, useWellZones, wellPath } from './times/use-well-zones.ts';
import type { WellZones } from './times/well-zones.ts';

// Not every answer is plotted: what plots is loaded with the first of them.
const ResultsPlot = lazy(() => import('./plot/results-plot.tsx'));

/** An answer with its records, or with none. The next one takes its place in the same grid, or plot. */
export function FullAnswer({ answered }: { answered: Answered }) {
  const control = useRef<GridControl>(null);
  const times = useTabState('results', (state) => state.zone);
  const wells = useAnswerZones(answered);
  const zone = zoneOf(times, wells);
  const tab = use(TabContext);
  return (
    <TabContext value={useMemo(() => ({ ...tab, zone }), [tab, zone])}>
      <KeepFocus className="answer-full" of={answered}>
        <AnswerBar answered={answered} control={control} wells={wells} />
        {answered.records === 0 ? (
          <Empty>{words.results.none}</Empty>
        ) : (
          <Records answered={answered} control={control} />
        )}
      </KeepFocus>
    </TabContext>
  );
}

/** In which zones the wells lie that were asked for, or that the first records belong to. */
function useAnswerZones({ head, asked }: Answered): WellZones {
  const { dataset } = useTab('results');
  const path = wellPath(dataset);
  const assets = useMemo(() => {
    const column = head.columns.find((each) => pathId(each.path) === path);
    const query = asked.kind === 'find' ? asked.request.query : null;
    return assetsIn(column?.cells ?? [], query, path);
  }, [head, asked, path]);
  return useWellZones(assets);
}

/** The records in the view that was chosen. */
function Records({ answered, control }: { answered: Answered; control: RefObject<GridControl | null> }) {
  const view = useTabState('results', (state) => state.view);
  const table = <RecordGrid answered={answered} control={control} />;
  const plot = (
    <Suspense fallback={<Loading what={words.plot.loading} />}>
      <ResultsPlot answered={answered} />
    </Suspense>
  );
  if (view === 'table') return table;
  if (view === 'plot') return plot;
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
