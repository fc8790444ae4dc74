import { ListFilter, ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
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
  type Box,
} from './filter.ts';
import { NameBox } from './name-box.tsx';
import { emptyFilterText, NamesNote } from './names-note.tsx';

const emptyBox: BoxText = { south: '', north: '', west: '', east: '' };

/** A bounding box in degrees. It applies once all four edges are valid. */
export function BoxFields({ box, onBox }: { box: Box | null; onBox: (box: Box | null) => void }) {
  const [open, setOpen] = useState(box !== null);
  const [boxText, setBoxText] = useState<BoxText>(box ? textOf(box) : emptyBox);
  const [problem, setProblem] = useState<string | null>(null);
  const [shownBox, setShownBox] = useState(box);
  // The filter can be cleared elsewhere.
  if (box !== shownBox) {
    setShownBox(box);
    setBoxText(box ? textOf(box) : emptyBox);
    setProblem(null);
  }
  const w = words.wells.box;
  const apply = () => {
    const read = parseBox(boxText);
    setProblem(typeof read === 'string' ? w[read] : null);
    if (typeof read !== 'string') onBox(read);
  };
  return (
    <div className="filters-wide">
      <Button
        variant="quiet"
        className="box-open"
        icon={open ? ChevronDown : ChevronRight}
        aria-expanded={open}
        onPress={() => setOpen(!open)}
      >
        {w.open}
      </Button>
      {open && (
        <div className="box-fields">
          {edges.map((edge) => (
            <TextField
              key={edge}
              label={w[edge]}
              name={edge}
              inputMode="numeric"
              value={boxText[edge]}
              onChange={(text) => setBoxText({ ...boxText, [edge]: text })}
              problem={problem !== null && edge === 'south' ? problem : undefined}
            />
          ))}
          <Button onPress={apply}>{w.apply}</Button>
        </div>
      )}
    </div>
  );
}

export const edges = ['south', 'north', 'west', 'east'] as const;
/** The edges of a box as typed, in degrees. */
export type BoxText = Record<(typeof edges)[number], string>;

export const textOf = ({ south, north, west, east }: Box): BoxText => ({
  south: String(south),
  north: String(north),
  west: String(west),
  east: String(east),
});

/** The box, null if all edges are empty, or what is wrong with it. */
export function parseBox(typed: Readonly<BoxText>): Box | null | 'needsAll' | 'upside' {
  const texts = edges.map((edge) => typed[edge].trim().replace(',', '.'));
  if (texts.every((text) => text === '')) return null;
  const [south, north, west, east] = texts.map((text) => (text === '' ? Number.NaN : Number(text)));
  if (south === undefined || north === undefined || west === undefined || east === undefined)
    return 'needsAll';
  const inRange =
    [south, north].every((degrees) => Math.abs(degrees) <= 90) &&
    [west, east].every((degrees) => Math.abs(degrees) <= 180);
  if (!inRange) return 'needsAll';
  return south < north && west < east ? { south, north, west, east } : 'upside';
}

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
