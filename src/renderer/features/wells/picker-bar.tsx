import { ArrowDownUp, Rows3, Table2 } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { useAppState, useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { FieldSelect } from './field-select.tsx';
import { factFields, parseFacts, groupByField, isRelated, defaultFacts } from './facts.ts';
import { FilterButton } from './filter-popup.tsx';
import { PasteButton } from './paste-list.tsx';
import { views } from './wells-state.ts';
import type { SortField } from './sort.ts';
import { hasAssetId, type ScopedWell } from '../../../shared/wells/scope.ts';
import { openBrowse } from './browse-kind.ts';

const viewOptions = views.map((id) => ({ id, text: words.wells.views[id] }));
const sorts = ['name', 'lastActiveAt', 'startedAt', 'status', 'companyId', 'area'] as const;
const sortItems = sorts.map((id) => ({ id, text: words.wells.sortBy[id] }));
const descendingFields: readonly SortField[] = ['lastActiveAt', 'startedAt'];
const facts = factFields.filter((field) => field !== 'status');

/** The search, the filters, and the display options of the list; Enter in the search opens the only well found. */
export function PickerBar({ onOpen }: { onOpen: (well: ScopedWell) => void }) {
  const session = useSession();
  const view = useSessionState('wells', (state) => state.view);
  const wellRows = useAppState('settings', (state) => state.values.wellRows);
  const actions = useSession().wells.actions;
  return (
    <div className="list-head">
      <div className="picker-line row gap-1">
        <WellSearch onOpen={onOpen} />
        <FilterButton />
      </div>
      <div className="picker-line row gap-1">
        <div className="grow">
          <SelectBox label={words.wells.view} value={view} options={viewOptions} onChange={actions.show} />
        </div>
        <span className="row gap-0">
          <SortMenu />
          <FieldSelect
            heading={words.wells.facts}
            note={words.wells.factsHint}
            icon={Rows3}
            all={facts}
            selected={parseFacts(
              useSessionState('wells', (state) => state.facts),
              defaultFacts[wellRows],
            )}
            onSelect={(fields) => actions.setFields('facts', fields)}
          />
          <PasteButton />
          <Button
            variant="quiet"
            icon={Table2}
            aria-label={words.wells.browse.open}
            onPress={() => openBrowse(session)}
          />
        </span>
      </div>
    </div>
  );
}

export function WellSearch({ onOpen }: { onOpen?: (well: ScopedWell) => void }) {
  const foundWells = useSessionState('wells', (state) => state.found);
  const search = useSessionState('wells', (state) => state.search);
  const actions = useSession().wells.actions;
  return (
    <SearchBox
      className="grow"
      label={words.wells.search}
      placeholder={words.wells.searchHint}
      value={search}
      onChange={actions.search}
      onSubmit={() => {
        const [well, ...others] = foundWells ?? [];
        if (search !== '' && well && others.length === 0 && hasAssetId(well)) onOpen?.(well);
      }}
    />
  );
}

function SortMenu() {
  const sort = useSessionState('wells', (state) => state.sort);
  const companies = useSessionState('directory', (state) => state.companies.names);
  const names = useSessionState('directory', (state) =>
    isRelated(sort.by) ? state[groupByField[sort.by]].names : undefined,
  );
  const { updateNames, ...actions } = useSession().wells.actions;
  const by = (field: SortField) =>
    actions.sort(
      { by: field, descending: descendingFields.includes(field) },
      field === 'companyId' ? companies : undefined,
    );
  // Names that arrive later change the order.
  useEffect(() => {
    if (names) updateNames(names);
  }, [names, updateNames]);
  return (
    <MenuButton
      label={words.wells.sort}
      icon={ArrowDownUp}
      items={sortItems}
      current={sort.by}
      onSelect={(id) => {
        const field = sorts.find((sort) => sort === id);
        if (field) by(field);
      }}
    />
  );
}
