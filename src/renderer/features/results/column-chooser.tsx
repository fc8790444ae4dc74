import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PickList, type SelectionChange } from '../../ui/pick-list.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { words } from '../../words/words.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { orderColumns, shownColumns } from './grid-view.ts';
import type { ColumnHead } from '../records/table.ts';
import { useTab, useTabState } from '../../contexts.ts';
import type { Result } from './results.ts';
import { useColumns } from './use-shape.ts';

/** Selects the visible columns. */
export function ColumnsButton({ result }: { result: Result }) {
  const hidden = useTabState('results', (state) => state.grid.hidden.length);
  const say = words.results.columns;
  return (
    <Popup
      heading={say.heading}
      trigger={
        <Button variant="quiet" icon={Columns3} aria-label={hidden > 0 ? say.some(hidden) : say.heading}>
          {hidden > 0 ? say.hidden(hidden) : undefined}
        </Button>
      }
    >
      {(close) => <ColumnsForm result={result} onDone={close} />}
    </Popup>
  );
}

const rowHeight = 28;

const nameOfColumn = ({ path, kind }: ColumnHead): string =>
  kind === 'well' ? words.results.well : pathId(path);

function ColumnsForm({ result, onDone }: { result: Result; onDone: () => void }) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.grid);
  const columns = useColumns(result.held);
  const { onExport } = useTab('links');
  const { asked } = result;
  const [search, setSearch] = useState('');
  const say = words.results.columns;
  const fitting = orderColumns(columns, view).filter((column) =>
    nameOfColumn(column).toLowerCase().includes(search.trim().toLowerCase()),
  );
  const choose = ({ add, remove }: SelectionChange<ColumnHead>) => {
    const shown = new Set(add.map(({ path }) => pathId(path)));
    const removedIds = fitting.map(({ path }) => pathId(path)).filter((id) => remove.has(id));
    actions.arrange({ hidden: [...view.hidden.filter((id) => !shown.has(id)), ...removedIds] });
  };
  return (
    <div className="results-chooser">
      <SearchBox label={say.search} placeholder={say.search} value={search} onChange={setSearch} />
      <div className="chooser-list" style={{ height: Math.min(Math.max(fitting.length, 1), 8) * rowHeight }}>
        <PickList
          label={say.heading}
          items={fitting}
          keyOf={({ path }: ColumnHead) => pathId(path)}
          nameOf={nameOfColumn}
          render={(column) => <span className="chooser-name">{nameOfColumn(column)}</span>}
          rowHeight={rowHeight}
          selected={
            new Set(fitting.map(({ path }) => pathId(path)).filter((id) => !view.hidden.includes(id)))
          }
          onSelectionChange={choose}
        />
      </div>
      <div className="row wrap">
        <Button variant="quiet" onPress={() => actions.resetLayout()}>
          {say.reset}
        </Button>
        {onExport && asked.kind === 'find' && (
          <Button
            variant="quiet"
            onPress={() => {
              onExport(
                asked.request,
                shownColumns(columns, view).flatMap(({ path, kind }) =>
                  kind === 'well' ? [] : [path.join('.')],
                ),
              );
              onDone();
            }}
          >
            {say.export}
          </Button>
        )}
      </div>
    </div>
  );
}
