import { Suspense, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Loading } from '../../ui/faces.tsx';
import { DataGrid, type RowRange, type RowSource } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { gridColumns } from '../results/grid-columns.ts';
import type { LiveTab } from './live-tab.ts';

/** The newest records as rows, the last one on top. */
export function LiveGrid({ tab }: { tab: LiveTab }) {
  const { records, subject, store } = tab;
  const kept = useStore(store, (state) => state.kept);
  const zone = useStore(store, (state) => state.zone);
  const [rows] = useState(createComing);
  useEffect(() => store.subscribe((now) => rows.tell({ from: 0, to: now.kept })), [store, rows]);
  const known = records.columns().length;
  const columns = useMemo(() => {
    // Columns are made anew when there are others, not with every record.
    const heads = records.columns();
    return known === heads.length
      ? gridColumns({
          heads,
          rows: { cell: records.cell, face: () => 'full' },
          times: zone,
          words: words.results,
        })
      : [];
  }, [records, zone, known]);
  return (
    <div className="live-grid">
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          label={words.results.grid(subject.dataset.dataset)}
          columns={columns}
          rows={kept}
          source={rows.source}
          onSelect={() => undefined}
        />
      </Suspense>
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
