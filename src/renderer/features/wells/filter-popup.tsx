import { ListFilter } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { BoxFields } from './box-fields.tsx';
import { groups } from './directory.ts';
import { groupByField, memberName } from './facts.ts';
import { activeFields } from './filter-chips.tsx';
import {
  noFilter,
  relatedFields,
  omitFields,
  wordFields,
  type FilterField,
  type RelatedField,
  type WellFilter,
  type WordField,
} from './filter.ts';
import { NameBox } from './name-box.tsx';
import { emptyFilterText, NamesNote } from './names-note.tsx';

interface FilterPopupProps {
  /** The label of its button while no filter is active. */
  readonly label: string;
  readonly activeCount: number;
  readonly children: ReactNode;
}

/** A button that opens filters, with the number of active ones. */
export function FilterPopup({ label, activeCount, children }: FilterPopupProps) {
  return (
    <Popup
      heading={words.wells.filters}
      placement="bottom start"
      isWide
      trigger={
        <Button
          icon={ListFilter}
          aria-label={activeCount === 0 ? label : words.wells.filtersSet(activeCount)}
          className={activeCount === 0 ? 'filter-button' : 'filter-button filter-button-set'}
        />
      }
    >
      {() => children}
    </Popup>
  );
}

/** Opens the filters of the list of wells. */
export function FilterButton() {
  const activeCount = useSessionState('wells', (state) => activeFields(state.filter).length);
  return (
    <FilterPopup label={words.wells.filterWells} activeCount={activeCount}>
      <Filters />
    </FilterPopup>
  );
}

const days = ['activeFrom', 'activeTo', 'startedFrom', 'startedTo'] as const;

/** The filters. Each applies immediately. */
function Filters() {
  const filter = useSessionState('wells', (state) => state.filter);
  const actions = useSession().wells.actions;
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => loadGroups(groups), [loadGroups]);
  const set = <F extends FilterField>(field: F, value: WellFilter[F] | null) =>
    actions.filter(value === null ? omitFields(filter, [field]) : { ...filter, [field]: value });
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
          onChange={(day) => set(field, day === '' ? null : day)}
        />
      ))}
      <BoxFields box={filter.box ?? null} onBox={(box) => set('box', box)} />
      <NamesNote />
      {activeFields(filter).length > 0 && (
        <div className="filters-wide">
          <Button onPress={() => actions.filter(noFilter)}>{words.wells.clearFilters}</Button>
        </div>
      )}
    </div>
  );
}

interface FieldProps<F extends FilterField> {
  readonly field: F;
  readonly filter: WellFilter;
  readonly onSet: (field: F, value: WellFilter[F] | null) => void;
}

function RelatedFilter({ field, filter, onSet }: FieldProps<RelatedField>) {
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
      onSelect={(id) => onSet(field, id)}
    />
  );
}

// Values from the specification and common services, even if no listed well has them.
const standardValues = {
  status: [],
  state: [],
  visibility: ['visible', 'visible_to_admin', 'deleted'],
  area: [],
} as const satisfies Record<WordField, readonly string[]>;

function WordFilter({ field, filter, onSet }: FieldProps<WordField>) {
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
      onSelect={(word) => onSet(field, word)}
    />
  );
}
