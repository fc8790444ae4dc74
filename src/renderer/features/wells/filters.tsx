import { useShallow } from 'zustand/react/shallow';
import { ChevronDown, ChevronRight, ListFilter } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useSession, useSessionState } from '../../contexts.ts';
import { compareNames } from '../../format/order.ts';
import { Button } from '../../ui/button.tsx';
import { Chips, type Chip } from '../../ui/chips.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Popup } from '../../ui/popup.tsx';
import { Status } from '../../ui/status.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { groups, type DirectoryState, type Group, type MemberList } from './directory.ts';
import { definitionOf, groupOf, isRelated, memberName, relatedFields, wordFields } from './fields.ts';
import {
  activeFields,
  type Box,
  dayFilterNames,
  isDayFilter,
  noFilter,
  omitFields,
  type FilterField,
  type WellFilter,
  type WellKey,
} from './well-index.ts';
import { type Well, hasAssetId } from '../../../shared/wells/wells.ts';
import { listedWells } from './wells-state.ts';
import { uploadWords } from '../../words/upload.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

/** Further options are listed for a longer text. */
const maxOptions = 60;
export const anyOption = '\u0000any';

interface NameBoxProps<Id extends number | string> {
  readonly label: string;
  /** Null: any. */
  readonly value: Id | null;
  readonly text: string;
  /** Absent: any. */
  readonly placeholder?: string;
  readonly options: () => readonly { readonly id: Id; readonly name: string }[];
  readonly onSelect: (id: Id | null) => void;
}

/** Selects one item by name, or any. */
export function NameBox<Id extends number | string>(props: NameBoxProps<Id>) {
  const { label, value, text, placeholder = words.wells.any, options, onSelect } = props;
  const find = (inputText: string) => {
    const searchText = inputText.trim().toLowerCase();
    const fitting = options()
      .filter(({ name }) => name.toLowerCase().includes(searchText))
      .toSorted((a, b) => compareNames(a.name, b.name))
      .slice(0, maxOptions)
      .map(({ id, name }) => ({ id: String(id), text: name }));
    return value === null || searchText !== ''
      ? fitting
      : [{ id: anyOption, text: words.wells.any }, ...fitting];
  };
  return (
    <ComboBox
      label={label}
      value={value === null ? null : String(value)}
      text={text}
      find={find}
      placeholder={placeholder}
      onSelect={(id) =>
        onSelect(id === anyOption ? null : (options().find((option) => String(option.id) === id)?.id ?? null))
      }
    />
  );
}

/** The status of names to select from. A stored list is used while the service is being requested. */
export function namesStatus(...lists: readonly MemberList[]): 'loading' | 'failed' | 'loaded' {
  if (lists.some(({ freshness }) => freshness.error !== null)) return 'failed';
  return lists.some(({ freshness, names }) => freshness.isLoading && names.size === 0) ? 'loading' : 'loaded';
}

function NamesNote() {
  const { again } = useSession().directory.actions;
  const status = useSessionState('directory', (state) => namesStatus(...groups.map((group) => state[group])));
  const texts = { failed: words.wells.namesFailed, loading: words.wells.namesComing, loaded: null };
  return (
    <div className={status === 'loaded' ? 'visually-hidden' : 'filters-wide row quiet'}>
      <Status>{texts[status]}</Status>
      {status === 'failed' && <Button onPress={again}>{words.kept.refresh}</Button>}
    </div>
  );
}

interface FilterChipsProps<Name extends string> {
  /** With the names of filters as ids. */
  readonly chips: readonly (Chip & { readonly id: Name })[];
  readonly onRemove: (names: readonly Name[]) => void;
}

export function FilterChips<Name extends string>({ chips, onRemove }: FilterChipsProps<Name>) {
  if (chips.length === 0) return null;
  return (
    <div className="filter-chips">
      <Chips
        label={words.wells.filters}
        isLabelHidden
        overflow="wrap"
        chips={chips}
        onRemove={(ids) => onRemove(chips.flatMap(({ id }) => (ids.has(id) ? [id] : [])))}
      />
    </div>
  );
}

export function WellFilterChips() {
  const filter = useSessionState('wells', (state) => state.filter);
  const fields = activeFields(filter);
  const texts = useSessionState(
    'directory',
    useShallow((state) => fields.map((id) => filterText(filter, id, state))),
  );
  const actions = useSession().wells.actions;
  return (
    <FilterChips
      chips={fields.map((id, at) => ({ id, text: texts[at] ?? '' }))}
      onRemove={(fields) => actions.filter(omitFields(filter, fields))}
    />
  );
}

function filterText(filter: WellFilter, field: FilterField, directory: DirectoryState): string {
  const w = words.wells;
  if (field === 'box') return filter.box ? `${w.filterNames.box}: ${w.box.said(filter.box)}` : '';
  const value = filter[field] ?? '';
  if (isDayFilter(field)) return `${w.filterNames[field]} ${value}`;
  const label = isRelated(field) ? memberName(directory, groupOf(field), Number(value)) : value;
  return `${w.fields[field]}: ${label}`;
}

interface FilterPopupProps {
  /** The label of its button while no filter is active. */
  readonly label: string;
  readonly activeCount: number;
  /** The inputs. Each applies immediately. */
  readonly children: ReactNode;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

export function FilterPopup({ label, activeCount, ...filters }: FilterPopupProps) {
  return (
    <Popup
      heading={words.wells.filters}
      placement="bottom start"
      isWide
      trigger={{
        variant: 'plain',
        icon: ListFilter,
        'aria-label': activeCount === 0 ? label : words.wells.filtersSet(activeCount),
        className: activeCount === 0 ? 'flex-none' : 'flex-none filter-button-set',
      }}
    >
      {() => <Filters {...filters} />}
    </Popup>
  );
}

function Filters({ children, isFiltered, onClear }: Omit<FilterPopupProps, 'label' | 'activeCount'>) {
  const { loadGroups } = useSession().directory.actions;
  useEffect(() => loadGroups(groups), [loadGroups]);
  return (
    <div className="halves gap-2">
      {children}
      <NamesNote />
      {isFiltered && (
        <div className="filters-wide">
          <Button onPress={onClear}>{words.wells.clearFilters}</Button>
        </div>
      )}
    </div>
  );
}

export function FilterButton() {
  const filter = useSessionState('wells', (state) => state.filter);
  const listed = useSessionState('wells', listedWells);
  const actions = useSession().wells.actions;
  const activeCount = activeFields(filter).length;
  const set = <F extends FilterField>(field: F, value: WellFilter[F] | null) =>
    actions.filter(value === null ? omitFields(filter, [field]) : { ...filter, [field]: value });
  return (
    <FilterPopup
      label={words.wells.filterWells}
      activeCount={activeCount}
      isFiltered={activeCount > 0}
      onClear={() => actions.filter(noFilter)}
    >
      {relatedFields.map((field) => (
        <MemberFilter
          key={field}
          label={words.wells.fields[field]}
          group={groupOf(field)}
          listedIds={() => listed.ids(field)}
          value={filter[field] ?? null}
          onSelect={(id) => set(field, id)}
        />
      ))}
      {wordFields.map((field) => (
        <NameBox
          key={field}
          label={words.wells.fields[field]}
          value={filter[field] ?? null}
          text={filter[field] ?? ''}
          options={() =>
            [...listed.words(field).union(new Set(definitionOf(field).words))].map((word) => ({
              id: word,
              name: word,
            }))
          }
          onSelect={(word) => set(field, word)}
        />
      ))}
      {dayFilterNames.map((field) => (
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
    </FilterPopup>
  );
}

interface MemberFilterProps {
  readonly label: string;
  readonly group: Group;
  /** The service may know other members than wells that are listed, and the other way round. */
  readonly listedIds?: () => ReadonlySet<number>;
  /** Null: any. */
  readonly value: number | null;
  readonly onSelect: (id: number | null) => void;
}

export function MemberFilter({ label, group, listedIds, value, onSelect }: MemberFilterProps) {
  const directory = useSessionState('directory', (state) => state);
  const members = directory[group];
  const nameOf = (id: number) => memberName(directory, group, id);
  return (
    <NameBox
      label={label}
      value={value}
      text={value === null ? '' : nameOf(value)}
      placeholder={namesStatus(members) === 'loading' ? words.wells.anyComing : words.wells.any}
      options={() =>
        [...new Set([...(listedIds?.() ?? []), ...members.names.keys()])].map((id) => ({
          id,
          name: nameOf(id),
        }))
      }
      onSelect={onSelect}
    />
  );
}

const edges = ['south', 'north', 'west', 'east'] as const;
/** The edges of a box as typed, in degrees. */
type BoxText = Record<(typeof edges)[number], string>;
const emptyBox: BoxText = { south: '', north: '', west: '', east: '' };

const textOf = ({ south, north, west, east }: Box): BoxText => ({
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

/** A bounding box in degrees. It applies once all four edges are valid. */
function BoxFields({ box, onBox }: { box: Box | null; onBox: (box: Box | null) => void }) {
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
        <div className="box-fields above-1 items-end gap-2">
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

export interface WellBoxProps {
  readonly label: string;
  readonly placeholder?: string;
  /** As typed or selected. */
  readonly assetId: string;
  readonly problem?: string | undefined;
  readonly onChoose: (assetId: string) => void;
}

/**
 * Finds wells for a text: selected ones first, then others by name, API number, or asset id.
 * @param by an id that each of them has once
 */
export function useWellOptions(by: WellKey): (text: string) => readonly Well[] {
  const selection = useSelectedWells();
  const listed = useSessionState('wells', listedWells);
  return (text) => {
    const typed = text.trim().toLowerCase();
    const selected = selection.filter(({ name, assetId }) =>
      `${name} ${assetId}`.toLowerCase().includes(typed),
    );
    const wells = new Map([...selected, ...listed.search(text, maxOptions)].map((well) => [well[by], well]));
    return [...wells.values()].slice(0, maxOptions);
  };
}

/** Selects an asset by its well. */
export function WellBox({
  label,
  placeholder = uploadWords.columns.wellHint,
  assetId,
  problem,
  onChoose,
}: WellBoxProps) {
  const find = useWellOptions('assetId');
  const listed = useSessionState('wells', listedWells);
  const well = /^\d{1,15}$/.test(assetId) ? listed.well('assetId', Number(assetId)) : undefined;
  return (
    <ComboBox
      label={label}
      isLabelHidden
      value={assetId}
      text={well ? uploadWords.wells.named(well.name, Number(assetId)) : assetId}
      find={(text) =>
        find(text)
          .filter(hasAssetId)
          .map(({ assetId, name }) => ({ id: String(assetId), text: uploadWords.wells.named(name, assetId) }))
      }
      emptyText={uploadWords.columns.noWellFits}
      allowsCustom
      onSelect={onChoose}
      placeholder={placeholder}
      problem={problem}
      className="max-field"
    />
  );
}
