import { Columns3 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Well } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { ListGrid, type ListColumn } from '../../ui/grid/list-grid.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import type { Browse } from './browse.ts';
import type { DirectoryState } from './directory.ts';
import {
  factFields,
  factText,
  parseFacts,
  groupByField,
  groupsOf,
  isRelated,
  defaultColumns,
  type FactField,
} from './facts.ts';
import { FieldSelect } from './field-select.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterButton } from './filter-popup.tsx';
import { ListFoot } from './list-foot.tsx';
import { NoWells } from './no-wells.tsx';
import { WellSearch } from './picker-bar.tsx';
import { sortFields, sortWells, type SortField } from './sort.ts';
import { hasAssetId } from './scope.ts';
import { listedWells, maxSelectedWells } from './wells-state.ts';

const widths: Partial<Record<FactField, number>> = {
  apiNumber: 160,
  companyId: 150,
  programId: 190,
  padId: 150,
  rigId: 150,
  timeZone: 160,
  position: 160,
};
const ids: readonly FactField[] = ['assetId', 'platformId'];
const isSortField = (field: string): field is SortField => sortFields.some((each) => each === field);

/** The wells of the list as a table, with the same search and filters; its sort is its own. */
export function WellTable({ browse, now }: { browse: Browse; now: number }) {
  const list = useSessionState('wells', (state) => state.list);
  const extraFields = useSessionState('wells', (state) => state.columns);
  const columns = useMemo(() => parseFacts(extraFields, defaultColumns), [extraFields]);
  const { loadGroups } = useSession().directory.actions;
  const actions = useSession().wells.actions;
  useEffect(() => loadGroups(groupsOf(columns)), [loadGroups, columns]);
  if (list.status === 'loading') return <Loading what={words.wells.loading} onCancel={actions.cancel} />;
  if (list.status === 'failed') return <ConnectionFailed error={list.error} onRetry={actions.reload} />;
  if (list.status === 'idle')
    return (
      <Empty action={<Button onPress={actions.reload}>{words.wells.load}</Button>}>
        {words.wells.notLoaded}
      </Empty>
    );
  return (
    <>
      <div className="browse-head">
        <div className="browse-search">
          <WellSearch />
        </div>
        <FilterButton />
        <FieldSelect
          heading={words.wells.columns}
          note={words.wells.columnsHint}
          icon={Columns3}
          all={factFields}
          selected={columns}
          onSelect={(fields) => actions.setFields('columns', fields)}
        />
        <SelectFound />
      </div>
      <FilterChips />
      <KeepFocus className="browse-body">
        <FoundWellTable browse={browse} columns={columns} now={now} />
      </KeepFocus>
      <SelectedWell browse={browse} />
      <ListFoot onAgain={actions.reload} />
    </>
  );
}

const keyOf = ({ platformId }: Well) => String(platformId);

function FoundWellTable({
  browse,
  columns,
  now,
}: {
  browse: Browse;
  columns: readonly FactField[];
  now: number;
}) {
  const found = useSessionState('wells', (state) => state.found);
  const answer = useSessionState('wells', (state) => state.serviceResult);
  const sort = useStore(browse.store, (state) => state.sort);
  const directory = useSessionState('directory', (state) => state);
  const actions = useSession().wells.actions;
  const rows = useMemo(() => gridColumns(columns, directory, now), [columns, directory, now]);
  const sorted = useMemo(() => {
    const by = sort?.column;
    if (!found || !sort || by === undefined || !isSortField(by)) return found;
    const names = isRelated(by) ? directory[groupByField[by]].names : undefined;
    return sortWells(found, { by, descending: sort.descending }, names);
  }, [found, sort, directory]);
  if (answer.status === 'failed')
    return <ConnectionFailed error={answer.error} onRetry={actions.retryFilter} />;
  if (answer.status === 'loading') return <Loading what={words.wells.asking} onCancel={actions.cancel} />;
  if (sorted === null) return null;
  if (sorted.length === 0) return <NoWells />;
  return (
    <ListGrid
      label={words.wells.browse.table}
      columns={rows}
      items={sorted}
      keyOf={keyOf}
      sort={sort}
      onSort={browse.actions.sort}
      onSelect={(well) => browse.actions.select(well?.platformId ?? null)}
    />
  );
}

function gridColumns(
  fields: readonly FactField[],
  directory: DirectoryState,
  now: number,
): ListColumn<Well>[] {
  const name: ListColumn<Well> = {
    id: 'name',
    header: words.wells.fields.name,
    width: 220,
    align: 'start',
    pinned: true,
    sortable: true,
    text: (well) => well.name,
  };
  const others = fields.map((field): ListColumn<Well> => ({
    id: field,
    header: words.wells.fields[field],
    width: widths[field] ?? 120,
    align: ids.includes(field) ? 'end' : 'start',
    sortable: isSortField(field),
    text: (well) => factText(well, field, directory, now),
  }));
  return [name, ...others];
}

function SelectFound() {
  const found = useSessionState('wells', (state) => state.found);
  const { selectWells } = useSession().wells.actions;
  if (found === null || found.length > maxSelectedWells) return null;
  const selectable = found.filter(hasAssetId);
  if (selectable.length === 0) return null;
  return (
    <Button onPress={() => selectWells(selectable)}>{words.wells.browse.chooseAll(selectable.length)}</Button>
  );
}

/** Actions for the selected well. */
function SelectedWell({ browse }: { browse: Browse }) {
  const selected = useStore(browse.store, (state) => state.selected);
  const listedWell = useSessionState('wells', listedWells);
  const well = selected === null ? undefined : listedWell.well('platformId', selected);
  const selection = useSessionState('wells', (state) => state.selected);
  const { selectWells, deselect } = useSession().wells.actions;
  const w = words.wells.browse;
  if (!well) return <p className="browse-selected quiet">{w.selectHint}</p>;
  const isSelected = selection.some(({ platformId }) => platformId === well.platformId);
  return (
    <div className="browse-selected">
      <strong className="browse-name">{well.name}</strong>
      {!hasAssetId(well) ? (
        <span className="quiet">{words.wells.noAssetNote}</span>
      ) : isSelected ? (
        <Button onPress={() => deselect(well.platformId)}>{w.unchoose}</Button>
      ) : (
        <Button onPress={() => selectWells([...selection, well])}>{w.choose}</Button>
      )}
    </div>
  );
}
