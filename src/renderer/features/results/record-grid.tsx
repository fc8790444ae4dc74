import { Suspense, useEffect, useMemo, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { Loading } from '../../ui/faces.tsx';
import { DataGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { useResults, useResultsState } from './context.ts';
import { gridColumns } from './grid-columns.ts';
import { RecordDetail } from './record-detail.tsx';
import type { Answered } from './results.ts';
import { createRowsInView } from './rows-in-view.ts';
import { useShape } from './use-shape.ts';

/** The records as rows; the chosen one is shown whole beside them. */
export function RecordGrid({ answered }: { answered: Answered }) {
  const { actions, dataset } = useResults();
  const zone = useResultsState((state) => state.zone);
  const selected = useResultsState((state) => state.selected);
  const shape = useShape(answered.held);
  const [rows] = useState(() => createRowsInView(answered.held, answered.head));
  useEffect(() => () => rows.close(), [rows]);
  const columns = useMemo(
    () => gridColumns(shape.columns, rows, zone, words.results),
    [shape.columns, rows, zone],
  );
  return (
    <Group orientation="horizontal" className="answer-body">
      <Panel id="grid" minSize="240px">
        <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
          <DataGrid
            label={words.results.grid(dataset.dataset)}
            columns={columns}
            rows={shape.rows}
            source={rows}
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
