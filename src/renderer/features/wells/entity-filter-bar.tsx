import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { useSession } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { groups } from './directory.ts';
import {
  filtersByKind,
  type EntityFilter,
  type EntityFilterName,
  type EntityKind,
  type FilterInput,
  type FilterValue,
} from './entity-filters.ts';
import { EntityFilterInput } from './entity-filter-input.tsx';
import { FilterPopup } from './filter-popup.tsx';
import { NamesNote } from './names-note.tsx';

const isName = (name: string): name is EntityFilterName => Object.hasOwn(words.wells.browse.filters, name);

/** The filters of a list of entities: text filters at the left, others in a popup. */
export function EntityFilters({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const filter = useStore(browse.store, (state) => state.filter);
  const notFound = useStore(browse.store, (state) => state.notFound);
  const inputs = filterInputs(kind);
  const typed = inputs.find(([name]) => name === 'search' || name === 'name');
  const set = (name: EntityFilterName, value: FilterValue | null) =>
    browse.actions.filter(value ? { ...filter, [name]: value } : omitName(filter, [name]));
  const chips = Object.keys(filter)
    .filter(isName)
    .filter((name) => name !== typed?.[0]);
  const w = words.wells;
  const title = w.browse.title[kind];
  return (
    <>
      <div className="browse-head row wrap">
        {typed && (
          <div className="browse-search">
            <SearchBox
              label={typed[0] === 'name' ? `${title}: ${w.browse.filters.name}` : w.browse.search(title)}
              placeholder={kind === 'assets' ? w.browse.searchAsset : w.browse.filters[typed[0]]}
              value={filter[typed[0]]?.text ?? ''}
              onChange={(text) => set(typed[0], text.trim() === '' ? null : { text, value: text.trim() })}
            />
          </div>
        )}
        <FilterPopup label={w.filters} activeCount={chips.length}>
          <Inputs
            inputs={inputs.filter(([name]) => name !== typed?.[0])}
            filter={filter}
            notFound={notFound}
            onSet={set}
            onClear={() => browse.actions.filter({})}
          />
        </FilterPopup>
      </div>
      {chips.length > 0 && (
        <div className="filter-chips">
          <Chips
            label={w.filters}
            isLabelHidden
            overflow="wrap"
            chips={chips.map((name) => ({
              id: name,
              text: `${w.browse.filters[name]}: ${filter[name]?.text ?? ''}`,
            }))}
            onRemove={(ids) =>
              browse.actions.filter(
                omitName(
                  filter,
                  chips.filter((name) => ids.has(name)),
                ),
              )
            }
          />
        </div>
      )}
    </>
  );
}

function filterInputs(kind: EntityKind): (readonly [EntityFilterName, FilterInput])[] {
  const inputs: Readonly<Record<string, FilterInput>> = filtersByKind[kind];
  return Object.entries(inputs).flatMap(([name, input]) => (isName(name) ? [[name, input] as const] : []));
}

const omitName = (filter: EntityFilter, names: readonly EntityFilterName[]): EntityFilter =>
  Object.fromEntries(
    Object.entries(filter).filter(([name]) => !names.some((shownName) => shownName === name)),
  );

interface InputsProps {
  readonly inputs: readonly (readonly [EntityFilterName, FilterInput])[];
  readonly filter: EntityFilter;
  readonly notFound: readonly string[];
  readonly onSet: (name: EntityFilterName, value: FilterValue | null) => void;
  readonly onClear: () => void;
}

function Inputs({ inputs, filter, notFound, onSet, onClear }: InputsProps) {
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => loadGroups(groups), [loadGroups]);
  return (
    <div className="filters">
      {inputs.map(([name, input]) => (
        <EntityFilterInput
          key={name}
          label={words.wells.browse.filters[name]}
          name={name}
          input={input}
          value={filter[name] ?? null}
          notFound={notFound}
          onSet={(value) => onSet(name, value)}
        />
      ))}
      <NamesNote />
      {Object.keys(filter).length > 0 && (
        <div className="filters-wide">
          <Button onPress={onClear}>{words.wells.clearFilters}</Button>
        </div>
      )}
    </div>
  );
}
