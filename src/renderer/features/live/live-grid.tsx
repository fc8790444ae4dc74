import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Loading } from '../../ui/view-states.tsx';
import { DataGrid, type GridControl, type RowRange, type RowSource } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { loaded } from '../../state/loadable.ts';
import { Status } from '../../ui/status.tsx';
import { useNames } from '../plot/use-names.ts';
import { BesideGrid } from '../results/beside-grid.tsx';
import { gridColumns } from '../results/grid-columns.ts';
import type { TimeZone } from '../records/cell-text.ts';
import { useHeads } from '../results/use-shape.ts';
import type { LiveTab } from './live-tab.ts';

// Not every record is looked at.
const RecordDetail = lazy(() =>
  import('../results/record-detail.tsx').then((found) => ({ default: found.RecordDetail })),
);

/** A record that is looked at, by its place among all that ever came: its row changes with each that follows. */
interface Chosen {
  readonly place: number;
  readonly record: JsonValue;
}

/** The newest records as rows, the last one on top. */
export function LiveGrid({ tab, zone }: { tab: LiveTab; zone: TimeZone }) {
  const { records, subject, store } = tab;
  const kept = useStore(store, (state) => state.kept);
  const came = useStore(store, (state) => state.kept + state.dropped);
  const control = useRef<GridControl>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [said, say] = useState('');
  const place = chosen?.place ?? null;
  useEffect(() => {
    // The record stays chosen where it stands now.
    if (place !== null) control.current?.select(came - 1 - place);
  }, [came, place]);
  const choose = (row: number | null) => {
    if (row !== null && came - 1 - row === place) return;
    const record = row === null ? undefined : records.record(row);
    setChosen(row === null || record === undefined ? null : { place: came - 1 - row, record });
    say('');
  };
  const [rows] = useState(createComing);
  useEffect(() => store.subscribe((now) => rows.tell({ from: 0, to: now.kept })), [store, rows]);
  const { unitOf } = useNames(subject.connection, subject.dataset);
  const heads = useHeads(records.columns());
  const columns = useMemo(
    () =>
      gridColumns({
        heads,
        rows: { cell: records.cell, status: () => 'loaded' },
        zone,
        units: { get: unitOf },
        words: words.results,
      }),
    [records, zone, heads, unitOf],
  );
  return (
    <div className="live-grid">
      <BesideGrid
        beside={
          chosen && (
            <RecordDetail
              key={chosen.place}
              record={loaded(chosen.record)}
              name={words.live.record(chosen.place + 1)}
              onClose={() => setChosen(null)}
              say={say}
            />
          )
        }
      >
        <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
          <DataGrid
            ref={control}
            label={words.results.grid(subject.dataset.dataset)}
            columns={columns}
            rows={kept}
            source={rows.source}
            onSelect={choose}
          />
        </Suspense>
      </BesideGrid>
      <Status className="visually-hidden">{said}</Status>
    </div>
  );
}

/** Rows that are all here, and all change when another comes on top. */
function createComing() {
  const listeners = new Set<(range: RowRange) => void>();
  const source: RowSource = {
    see: () => undefined,
    onCome(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { source, tell: (range: RowRange) => listeners.forEach((listener) => listener(range)) };
}
