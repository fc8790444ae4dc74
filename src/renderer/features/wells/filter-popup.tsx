import { ListFilter } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSession, useSessionState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { BoxFields } from './box-fields.tsx';
import { groups } from './directory.ts';
import { groupOf, nameIn } from './facts.ts';
import { fieldsOf } from './filter-chips.tsx';
import { noFilter, relatedFields, without, wordFields, type WellFilter } from './filter.ts';
import { NameBox } from './name-box.tsx';
import { anyOf, NamesNote } from './names-note.tsx';

/** Opens the filters, and says how many are set. */
export function FilterButton() {
  const set = useSessionState('wells', (state) => fieldsOf(state.filter).length);
  return (
    <Popup
      heading={words.wells.filters}
      placement="bottom start"
      wide
      trigger={
        <Button
          icon={ListFilter}
          aria-label={set === 0 ? words.wells.filterWells : words.wells.filtersSet(set)}
          className={set === 0 ? 'filter-button' : 'filter-button filter-button-set'}
        />
      }
    >
      {() => <Filters />}
    </Popup>
  );
}

const days = ['activeFrom', 'activeTo', 'startedFrom', 'startedTo'] as const;

/** Each filter holds as soon as it is chosen. */
function Filters() {
  const filter = useSessionState('wells', (state) => state.filter);
  const actions = useSession().wells.actions;
  const { look } = useSession().directory.actions;
  useEffect(() => look(groups), [look]);
  const set = (change: WellFilter, field: keyof WellFilter, on: boolean) =>
    actions.filter(on ? { ...filter, ...change } : without(filter, [field]));
  return (
    <div className="filters">
      {relatedFields.map((field) => (
        <Related key={field} field={field} onSet={set} filter={filter} />
      ))}
      {wordFields.map((field) => (
        <Word key={field} field={field} onSet={set} filter={filter} />
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
      {fieldsOf(filter).length > 0 && (
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

function Related({ field, filter, onSet }: FieldProps<(typeof relatedFields)[number]>) {
  const directory = useSessionState('directory', (state) => state);
  const listed = useSessionState('wells', (state) => state.said.ids[field]);
  const value = filter[field] ?? null;
  // What wells belong to, and what there is besides: the service may know wells that are not listed.
  const options = () => {
    const ids = new Set([...listed, ...directory[groupOf[field]].names.keys()]);
    return [...ids].map((id) => ({ id, name: nameIn(directory, field, id) }));
  };
  return (
    <NameBox
      label={words.wells.fields[field]}
      value={value}
      text={value === null ? '' : nameIn(directory, field, value)}
      placeholder={anyOf(directory[groupOf[field]])}
      options={options}
      onChoose={(id) => onSet(id === null ? {} : { [field]: id }, field, id !== null)}
    />
  );
}

// Known from the specification and from services of its kind, although no listed well may say so.
const alsoKnown = {
  status: [],
  state: [],
  visibility: ['visible', 'visible_to_admin', 'deleted'],
  area: [],
} as const satisfies Record<(typeof wordFields)[number], readonly string[]>;

function Word({ field, filter, onSet }: FieldProps<(typeof wordFields)[number]>) {
  const listed = useSessionState('wells', (state) => state.said.words[field]);
  const value = filter[field] ?? null;
  const options = () =>
    [...new Set([...listed, ...alsoKnown[field]])].map((word) => ({ id: word, name: word }));
  return (
    <NameBox
      label={words.wells.fields[field]}
      value={value}
      text={value ?? ''}
      options={options}
      onChoose={(word) => onSet(word === null ? {} : { [field]: word }, field, word !== null)}
    />
  );
}
