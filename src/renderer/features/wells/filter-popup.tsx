import { ListFilter } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { BoxFields } from './box-fields.tsx';
import { groups } from './directory.ts';
import { groupByField, memberName } from './facts.ts';
import { activeFields } from './filter-chips.tsx';
import { noFilter, relatedFields, omitFields, wordFields, type WellFilter } from './filter.ts';
import { NameBox } from './name-box.tsx';
import { emptyFilterText, NamesNote } from './names-note.tsx';

/** Opens the filters, with the number of active ones. */
export function FilterButton() {
  const activeCount = useSessionState('wells', (state) => activeFields(state.filter).length);
  return (
    <Popup
      heading={words.wells.filters}
      placement="bottom start"
      isWide
      trigger={
        <Button
          icon={ListFilter}
          aria-label={activeCount === 0 ? words.wells.filterWells : words.wells.filtersSet(activeCount)}
          className={activeCount === 0 ? 'filter-button' : 'filter-button filter-button-set'}
        />
      }
    >
      {() => <Filters />}
    </Popup>
  );
}

const days = ['activeFrom', 'activeTo', 'startedFrom', 'startedTo'] as const;

/** The filters. Each applies immediately. */
function Filters() {
  const filter = useSessionState('wells', (state) => state.filter);
  const actions = useSession().wells.actions;
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => loadGroups(groups), [loadGroups]);
  const set = (change: WellFilter, field: keyof WellFilter, on: boolean) =>
    actions.filter(on ? { ...filter, ...change } : omitFields(filter, [field]));
  return (
    <div className="filters">
      {relatedFields.map((field) => (
        <RelatedFilter key={field} field={field} onSet={set} filter={filter} />
      ))}
      {wordFields.map((field) => (
        <WordFilter key={field} field={field} onSet={set} filter={filter} />
      ))}
      {days.map((field) => (
        <TextField
          key={field}
          label={words.wells.filterNames[field]}
          name={field}
          type="date"
          value={filter[field] ?? ''}
          onChange={(day) => set({ [field]: day }, field, day !== '')}
        />
      ))}
      <BoxFields box={filter.box ?? null} onBox={(box) => set(box ? { box } : {}, 'box', box !== null)} />
      <NamesNote />
      {activeFields(filter).length > 0 && (
        <div className="filters-wide">
          <Button onPress={() => actions.filter(noFilter)}>{words.wells.clearFilters}</Button>
        </div>
      )}
    </div>
  );
}

interface FieldProps<F extends keyof WellFilter> {
  readonly field: F;
  readonly filter: WellFilter;
  readonly onSet: (change: WellFilter, field: F, on: boolean) => void;
}

function RelatedFilter({ field, filter, onSet }: FieldProps<(typeof relatedFields)[number]>) {
  const directory = useSessionState('directory', (state) => state);
  const listed = useSessionState('wells', (state) => state.knownValues.ids[field]);
  const value = filter[field] ?? null;
  // Names of all group members: the service may know wells that aren't listed.
  const options = () => {
    const ids = new Set([...listed, ...directory[groupByField[field]].names.keys()]);
    return [...ids].map((id) => ({ id, name: memberName(directory, field, id) }));
  };
  return (
    <NameBox
      label={words.wells.fields[field]}
      value={value}
      text={value === null ? '' : memberName(directory, field, value)}
      placeholder={emptyFilterText(directory[groupByField[field]])}
      options={options}
      onSelect={(id) => onSet(id === null ? {} : { [field]: id }, field, id !== null)}
    />
  );
}

// Values from the specification and common services, even if no listed well has them.
const standardValues = {
  status: [],
  state: [],
  visibility: ['visible', 'visible_to_admin', 'deleted'],
  area: [],
} as const satisfies Record<(typeof wordFields)[number], readonly string[]>;

function WordFilter({ field, filter, onSet }: FieldProps<(typeof wordFields)[number]>) {
  const listed = useSessionState('wells', (state) => state.knownValues.words[field]);
  const value = filter[field] ?? null;
  const options = () =>
    [...new Set([...listed, ...standardValues[field]])].map((word) => ({ id: word, name: word }));
  return (
    <NameBox
      label={words.wells.fields[field]}
      value={value}
      text={value ?? ''}
      options={options}
      onSelect={(word) => onSet(word === null ? {} : { [field]: word }, field, word !== null)}
    />
  );
}
