import { Columns3 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import type { Browse } from './browse.ts';
import { factFields, parseFacts, groupsOf, defaultColumns, type FactField } from './facts.ts';
import { FieldSelect } from './field-select.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterButton } from './filter-popup.tsx';
import { ListFoot } from './list-foot.tsx';
import { NoWells } from './no-wells.tsx';
import { WellSearch } from './picker-bar.tsx';
import { hasAssetId } from '../../../shared/wells/scope.ts';
import { WellRows } from './well-rows.tsx';
import { maxSelectedWells } from './wells-state.ts';

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
      <div className="browse-head row wrap">
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
      <FoundWellTable browse={browse} columns={columns} now={now} />
      <ListFoot onAgain={actions.reload} />
    </>
  );
}

interface FoundWellTableProps {
  readonly browse: Browse;
  readonly columns: readonly FactField[];
  readonly now: number;
}

function FoundWellTable({ browse, columns, now }: FoundWellTableProps) {
  const foundWells = useSessionState('wells', (state) => state.found);
  const serviceResult = useSessionState('wells', (state) => state.serviceResult);
  const actions = useSession().wells.actions;
  const isListComplete = serviceResult.status !== 'failed' && serviceResult.status !== 'loading';
  if (isListComplete && foundWells && foundWells.length > 0)
    return <WellRows browse={browse} wells={foundWells} fields={columns} now={now} />;
  return (
    <KeepFocus className="browse-body">
      {serviceResult.status === 'failed' ? (
        <ConnectionFailed error={serviceResult.error} onRetry={actions.retryFilter} />
      ) : serviceResult.status === 'loading' ? (
        <Loading what={words.wells.asking} onCancel={actions.cancel} />
      ) : (
        foundWells && <NoWells />
      )}
    </KeepFocus>
  );
}

function SelectFound() {
  const foundWells = useSessionState('wells', (state) => state.found);
  const { selectWells } = useSession().wells.actions;
  if (foundWells === null || foundWells.length > maxSelectedWells) return null;
  const selectable = foundWells.filter(hasAssetId);
  if (selectable.length === 0) return null;
  return (
    <Button onPress={() => selectWells(selectable)}>{words.wells.browse.chooseAll(selectable.length)}</Button>
  );
}
