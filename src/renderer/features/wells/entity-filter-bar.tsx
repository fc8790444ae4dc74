import { ListFilter } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import type { Browse } from './browse.ts';
import { useWells } from './context.ts';
import { groups, useDirectory, useDirectoryActions } from './directory.ts';
import {
  dayValue,
  entityFilters,
  flagValue,
  type EntityFilter,
  type EntityFilterName,
  type EntityKind,
  type FilterInput,
  type SetFilter,
} from './entity-filters.ts';
import { NameBox } from './name-box.tsx';

const isName = (name: string): name is EntityFilterName => Object.hasOwn(words.wells.browse.filters, name);

/** The filters of a list of entities: what is typed at the left, the others behind a button. */
export function EntityFilters({ browse, kind }: { browse: Browse; kind: EntityKind }) {
  const filter = useStore(browse.store, (state) => state.filter);
  const inputs = inputsOf(kind);
  const typed = inputs.find(([name]) => name === 'search' || name === 'name');
  const set = (name: EntityFilterName, value: SetFilter | null) =>
    browse.actions.filter(value ? { ...filter, [name]: value } : withoutName(filter, [name]));
  const chips = Object.keys(filter)
    .filter(isName)
    .filter((name) => name !== typed?.[0]);
  const w = words.wells;
  const title = w.browse.title[kind];
  return (
    <>
      <div className="browse-head">
        {typed && (
          <div className="browse-search">
            <SearchBox
              label={typed[0] === 'name' ? `${title}: ${w.browse.filters.name}` : w.browse.search(title)}
              placeholder={kind === 'assets' ? w.browse.searchAsset : w.browse.filters[typed[0]]}
              value={filter[typed[0]]?.text ?? ''}
              onChange={(text) => set(typed[0], text.trim() === '' ? null : { text, value: text.trim() })}
              clearLabel={w.clearSearch}
            />
          </div>
        )}
        <Popup
          heading={w.filters}
          placement="bottom start"
          wide
          trigger={
            <Button
              icon={ListFilter}
              aria-label={chips.length === 0 ? w.filters : w.filtersSet(chips.length)}
              className={chips.length === 0 ? 'filter-button' : 'filter-button filter-button-set'}
            />
          }
        >
          {() => (
            <Inputs
              inputs={inputs.filter(([name]) => name !== typed?.[0])}
              filter={filter}
              onSet={set}
              onClear={() => browse.actions.filter({})}
            />
          )}
        </Popup>
      </div>
      {chips.length > 0 && (
        <div className="filter-chips">
          <Chips
            label={w.filters}
            chips={chips.map((name) => ({
              id: name,
              text: `${w.browse.filters[name]}: ${filter[name]?.text ?? ''}`,
            }))}
            onRemove={(ids) =>
              browse.actions.filter(
                withoutName(
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

function inputsOf(kind: EntityKind): (readonly [EntityFilterName, FilterInput])[] {
  const inputs: Readonly<Record<string, FilterInput>> = entityFilters[kind];
  return Object.entries(inputs).flatMap(([name, input]) => (isName(name) ? [[name, input] as const] : []));
}

const withoutName = (filter: EntityFilter, names: readonly EntityFilterName[]): EntityFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !names.some((each) => each === name)));

interface InputsProps {
  readonly inputs: readonly (readonly [EntityFilterName, FilterInput])[];
  readonly filter: EntityFilter;
  readonly onSet: (name: EntityFilterName, value: SetFilter | null) => void;
  readonly onClear: () => void;
}

function Inputs({ inputs, filter, onSet, onClear }: InputsProps) {
  const { look } = useDirectoryActions();
  useEffect(() => look(groups), [look]);
  return (
    <div className="filters">
      {inputs.map(([name, input]) => (
        <Input
          key={name}
          label={words.wells.browse.filters[name]}
          name={name}
          input={input}
          value={filter[name] ?? null}
          onSet={(value) => onSet(name, value)}
        />
      ))}
      {Object.keys(filter).length > 0 && (
        <div className="filters-wide">
          <Button onPress={onClear}>{words.wells.clearFilters}</Button>
        </div>
      )}
    </div>
  );
}

interface InputProps {
  readonly label: string;
  readonly name: string;
  readonly input: FilterInput;
  readonly value: SetFilter | null;
  readonly onSet: (value: SetFilter | null) => void;
}

function Input({ label, name, input, value, onSet }: InputProps) {
  const directory = useDirectory((state) => state);
  const chosen = useWells((state) => state.chosen);
  const w = words.wells.browse;
  const box = <Id extends string | number>(
    options: readonly { readonly id: Id; readonly name: string; readonly value: SetFilter['value'] }[],
  ) => (
    <NameBox<Id>
      label={label}
      value={options.find(({ name: text }) => text === value?.text)?.id ?? null}
      text={value?.text ?? ''}
      options={() => options}
      onChoose={(id) => {
        const option = options.find((each) => each.id === id);
        onSet(option ? { text: option.name, value: option.value } : null);
      }}
    />
  );
  switch (input.by) {
    case 'group':
      return box([...directory[input.group].names].map(([id, text]) => ({ id, name: text, value: id })));
    case 'well':
      // These filters ask for the platform's id of a well (specification, section 4.2), not for its asset id.
      return box(
        chosen.map(({ platformId, name: text }) => ({
          id: platformId,
          name: text,
          value: input.list ? [platformId] : platformId,
        })),
      );
    case 'word':
      return box(input.words.map((word) => ({ id: word, name: word, value: input.list ? [word] : word })));
    case 'flag':
      return box([
        { id: 'yes', name: w.yes, value: flagValue(true, input.as) },
        { id: 'no', name: w.no, value: flagValue(false, input.as) },
      ]);
    case 'day':
      return (
        <TextField
          label={label}
          name={name}
          type="date"
          value={value?.text ?? ''}
          onChange={(text) => onSet(text === '' ? null : { text, value: dayValue(text, input) })}
        />
      );
    case 'text':
    case 'numbers':
      return (
        <TextField
          label={label}
          name={name}
          value={value?.text ?? ''}
          onChange={(text) =>
            onSet(
              text.trim() === ''
                ? null
                : {
                    text,
                    value:
                      input.by === 'text' ? text.trim() : text.split(/[\s,;]+/).filter((part) => part !== ''),
                  },
            )
          }
        />
      );
  }
}
