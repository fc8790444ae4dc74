import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { Loading } from '../../ui/view-states.tsx';
import { DataGrid, type GridControl, type RowRange, type RowSource } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { useAppState, useSessionState } from '../../contexts.ts';
import { listedWells } from '../wells/wells-state.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { withWellNames } from '../records/well-names.ts';
import { loaded } from '../../state/loadable.ts';
import { Status } from '../../ui/status.tsx';
import { useShownUnits } from '../plot/use-names.ts';
import { GridWithPanel } from '../results/grid-with-panel.tsx';
import { gridColumns } from '../results/grid-columns.ts';
import type { TimeZone } from '../records/cell-text.ts';
import { useStableColumns } from '../results/use-shape.ts';
import type { LiveTab } from './live-tab.ts';

// Loaded on demand.
const RecordDetail = lazy(() =>
  import('../results/record-detail.tsx').then((module) => ({ default: module.RecordDetail })),
);

/** A selected record by its position among all received: its row changes with each new record. */
interface SelectedRecord {
  readonly place: number;
  readonly record: JsonValue;
}

/** The newest records as rows, in the order in which they came, the last one first. */
export function LiveGrid({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const { records, subject, store } = tab;
  const kept = useStore(store, (state) => state.kept);
  const received = useStore(store, (state) => state.kept + state.dropped);
  const control = useRef<GridControl>(null);
  const [selected, setSelected] = useState<SelectedRecord | null>(null);
  const [message, setMessage] = useState('');
  const place = selected?.place ?? null;
  useEffect(() => {
    // The record stays selected as its row moves.
    if (place !== null) control.current?.select(received - 1 - place);
  }, [received, place]);
  const select = (row: number | null) => {
    if (row !== null && received - 1 - row === place) return;
    const record = row === null ? undefined : records.record(row);
    setSelected(row === null || record === undefined ? null : { place: received - 1 - row, record });
    setMessage('');
  };
  const [rows] = useState(createLiveRows);
  useEffect(() => store.subscribe((now) => rows.notify({ from: 0, to: now.kept })), [store, rows]);
  const system = useAppState('settings', (state) => state.values.units);
  const wellNames = useSessionState('wells', listedWells).names;
  const recordHeads = records.columns();
  const heads = useStableColumns(wellNames.size > 0 ? withWellNames(recordHeads) : recordHeads);
  const fields = useMemo(() => heads.map(({ path }) => pathId(path)), [heads]);
  const { stored, changes } = useShownUnits(subject.connection, subject.dataset, fields);
  const { unitOf } = stored;
  const units = useMemo(() => ({ unitOf, changes }), [unitOf, changes]);
  const columns = useMemo(
    () =>
      gridColumns({
        heads,
        rows: { cell: records.cell, status: () => 'loaded' },
        zone,
        units: { get: unitOf },
        changes,
        hasSystem: system !== 'stored',
        wellNames,
        words: words.results,
      }),
    [records, zone, heads, unitOf, changes, system, wellNames],
  );
  return (
    <div className="live-grid">
      <GridWithPanel
        panel={
          selected && (
            <RecordDetail
              key={selected.place}
              record={loaded(selected.record)}
              zone={zone}
              wellNames={wellNames}
              units={units}
              name={words.live.record(selected.place + 1)}
              onClose={() => setSelected(null)}
              onNotice={setMessage}
            />
          )
        }
      >
        <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
          <DataGrid
            ref={control}
            label={words.results.grid(datasetName(subject.dataset))}
            columns={columns}
            followsFocus={selected !== null}
            rows={kept}
            source={rows.source}
            onSelect={select}
          />
        </Suspense>
      </GridWithPanel>
      <Status className="visually-hidden">{message}</Status>
    </div>
  );
}

/** All rows are loaded; all change when a record arrives. */
function createLiveRows() {
  const listeners = new Set<(range: RowRange) => void>();
  const source: RowSource = {
    setVisible: () => undefined,
    onLoaded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { source, notify: (range: RowRange) => listeners.forEach((listener) => listener(range)) };
}
