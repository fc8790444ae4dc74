import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { ListGrid } from '../../ui/grid/list-grid.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import type { Browse } from './browse.ts';
import { entityColumns } from './entity.ts';
import { EntityFilters } from './entity-filter-bar.tsx';
import type { EntityKind } from './entity-filters.ts';
import { listColumns, sortEntities } from './entity-list.ts';
import { SelectedEntity } from './selected-entity.tsx';
import { listedWells } from './wells-state.ts';

const keyOf = ({ type, id }: PlatformEntity) => `${type} ${id}`;

/** A list of assets or groups, with the filters of the specification. */
export function EntityTable({ browse, kind, now }: { browse: Browse; kind: EntityKind; now: number }) {
  const { items, freshness } = useStore(browse.store, (state) => state.entities);
  const sort = useStore(browse.store, (state) => state.sort);
  const directory = useSessionState('directory', (state) => state);
  const listed = useSessionState('wells', listedWells);
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => {
    const columns = entityColumns[kind];
    loadGroups(columns.flatMap(({ of }) => ('related' in of && of.group ? [of.group] : [])));
    if (columns.some(({ of }) => 'what' in of && of.what === 'company')) loadGroups(['companies']);
  }, [kind, loadGroups]);
  // Stable while the list loads: the grid lays itself out again for new columns.
  const names = useMemo(
    () => ({
      assetName: browse.assetName,
      wellName: (platformId: number) => listed.well('platformId', platformId)?.name,
    }),
    [browse, listed],
  );
  const columns = useMemo(() => listColumns(kind, directory, names, now), [kind, directory, names, now]);
  const sorted = useMemo(() => sortEntities(items, columns, sort), [items, columns, sort]);
  const title = words.wells.browse.title[kind];
  const count = words.wells.browse.count[kind](items.length);
  return (
    <>
      <EntityFilters browse={browse} kind={kind} />
      <KeepFocus className="browse-body">
        {items.length > 0 ? (
          <ListGrid
            label={title}
            columns={columns}
            items={sorted}
            keyOf={keyOf}
            sort={sort}
            onSort={browse.actions.sort}
            selects="one"
            onSelect={([entity]) => browse.actions.select(entity?.id ?? null)}
          />
        ) : (
          <EmptyEntityList browse={browse} kind={kind} />
        )}
      </KeepFocus>
      <SelectedEntity browse={browse} kind={kind} />
      <div className="list-foot">
        <Status className="quiet numbers">
          {freshness.isLoading && freshness.asOf === null ? words.wells.browse.soFar(count) : count}
        </Status>
        {items.length > 0 && <ListAge freshness={freshness} onAgain={browse.actions.load} />}
      </div>
    </>
  );
}

function EmptyEntityList({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const { isLoading, error } = useStore(browse.store, (state) => state.entities.freshness);
  const isFiltered = useStore(browse.store, (state) => Object.keys(state.filter).length > 0);
  const w = words.wells.browse;
  const { cancel, load, list } = browse.actions;
  const title = w.title[kind];
  if (isLoading) return <Loading what={w.loading(title)} onCancel={cancel} />;
  if (error) return <ConnectionFailed error={error} onRetry={load} />;
  if (!isFiltered)
    return <Empty action={<Button onPress={load}>{words.kept.refresh}</Button>}>{w.empty(title)}</Empty>;
  return (
    <Empty action={<Button onPress={() => list(kind)}>{words.wells.clearFilters}</Button>}>
      {w.noMatch(title)}
    </Empty>
  );
}
