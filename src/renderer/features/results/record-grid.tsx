import { Suspense, useMemo } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Loading } from '../../ui/faces.tsx';
import { DataGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { useResults, useResultsState } from './context.ts';
import { gridColumns } from './grid-columns.ts';
import { RecordDetail } from './record-detail.tsx';
import type { Table } from './table.ts';

/** The records as rows; the chosen one is shown whole beside them. */
export function RecordGrid({ table }: { table: Table }) {
  const { actions, dataset } = useResults();
  const zone = useResultsState((state) => state.zone);
  const selected = useResultsState((state) => state.selected);
  const columns = useMemo(() => gridColumns(table, zone, words.results), [table, zone]);
  return (
    <Group orientation="horizontal" className="answer-body">
      <Panel id="grid" minSize="240px">
        <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
          <DataGrid
            label={words.results.grid(dataset.dataset)}
            columns={columns}
            rows={table.rows}
            onSelect={(row) => void actions.select(row)}
          />
        </Suspense>
      </Panel>
      {selected !== null && (
        <>
          <Separator className="divider divider-column" />
          <Panel
            id="record"
            defaultSize="300px"
            minSize="200px"
            maxSize="60%"
            groupResizeBehavior="preserve-pixel-size"
          >
            <RecordDetail row={selected} />
          </Panel>
        </>
      )}
    </Group>
  );
}
