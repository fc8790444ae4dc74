import { memo, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import type { QuestionText } from '../../../../shared/query/question.ts';
import { Notice } from '../../../ui/notices.tsx';
import { Button, type Icon } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { scopeOf, hasAssetId, type ScopedWell, type Well } from '../../../../shared/wells/wells.ts';
import { conditionsOf } from '../../datasets/conditions.ts';
import { useIsCurrent } from '../question-keys.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import {
  readScope,
  writeScope,
  type ScopeInText,
  rangeFieldOf,
  readRange,
  type RangeField,
  type RangeInText,
  type Bound,
  type Range,
  writeRange,
} from '../../../../shared/language/text/conditions.ts';
import { useTab, useTabState, useSessionState } from '../../../contexts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import {
  boundAt,
  boundOrder,
  formatBound,
  dayOf,
  daysOf,
  inputsOfDays,
  parseRange,
  type RangeInputs,
  type RangeProblem,
} from '../../../format/range-inputs.ts';
import { FoldButton, useFold } from '../question-form.tsx';
import { CalendarClock, Ruler, Drill, ListFilter, X } from 'lucide-react';
import { DateTime } from 'luxon';
import { zoneOf } from '../../../../shared/language/moments.ts';
import { Popup } from '../../../ui/popup.tsx';
import { useResultsZone, useWellZones } from '../../results/times/use-well-zones.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { PickList } from '../../../ui/pick-list.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import type { WellIndex } from '../../wells/well-index.ts';
import { listedWells, maxSelectedWells, nameOrId } from '../../wells/wells-state.ts';
import { useStore } from 'zustand';
import {
  hasFilter,
  readFilters,
  removeFilter,
  type Filter,
} from '../../../../shared/language/text/filters.ts';
import type { FieldNames } from '../../../../shared/channels/plain-names.ts';
import { useFields } from '../../datasets/field-catalogue.ts';
import { filterValueText, quickFilters } from '../filters/filter-values.ts';
import { useFieldNames } from '../../datasets/use-field-names.ts';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { Form } from '../../../ui/form.tsx';
import { localZone } from '../../../format/zoned.ts';
import { minuteMs, useTimeOfDay } from '../../../state/use-now.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';

type Kind = 'chosen' | 'ids' | 'none';
const kinds: { id: Kind; text: string }[] = [
  { id: 'chosen', text: words.query.scope.follow },
  { id: 'ids', text: words.query.scope.fixed },
  { id: 'none', text: words.query.scope.none },
];
const namesShown = 2;

function scopeText(scopeOfText: ScopeInText, selected: readonly ScopedWell[], listed: WellIndex): string {
  const { scope } = words.query;
  if (scopeOfText.kind === 'odd') return scope.odd[scopeOfText.why];
  if (scopeOfText.kind === 'none') return scope.all;
  if (scopeOfText.kind === 'chosen' && selected.length === 0) return scope.noneSelected;
  const names =
    scopeOfText.kind === 'chosen'
      ? selected.map(({ name }) => name)
      : scopeOfText.ids.map((id) => nameOrId(listed, id));
  return scope.some(names.slice(0, namesShown), Math.max(0, names.length - namesShown));
}

interface ConditionPopupProps {
  readonly heading: string;
  readonly label: string;
  readonly icon: Icon;
  readonly current: string;
  readonly isWide?: boolean;
  readonly children: (close: () => void) => ReactNode;
}

function ConditionPopup(props: ConditionPopupProps) {
  const { heading, label, icon, current, isWide = false, children } = props;
  return (
    <Popup
      heading={heading}
      placement="bottom start"
      isWide={isWide}
      trigger={{
        className: 'scope-button min-0',
        icon,
        'aria-label': `${label}: ${current}`,
        children: (
          <>
            <span className="quiet scope-label">{label}</span> <span className="ellipsis">{current}</span>
          </>
        ),
      }}
    >
      {children}
    </Popup>
  );
}

/** Why no form can show the condition of the text. */
const OddNote = ({ why }: { why: keyof typeof words.query.scope.oddNote }) => (
  <p className="query-note quiet">{words.query.scope.oddNote[why]}</p>
);

export function ScopePicker({ conditions, path }: { conditions: string; path: string }) {
  const { scope } = words.query;
  const scopeOfText = readScope(conditions, path);
  const listed = useSessionState('wells', listedWells);
  const selected = useTabWells();
  return (
    <ConditionPopup
      heading={scope.pickWells}
      label={scope.wells}
      icon={Drill}
      current={scopeText(scopeOfText, selected, listed)}
    >
      {() =>
        scopeOfText.kind === 'odd' ? (
          <OddNote why={scopeOfText.why} />
        ) : (
          <ScopeForm scopeOfText={scopeOfText} path={path} />
        )
      }
    </ConditionPopup>
  );
}

/** The ids of the text as it is now: another one may have been selected since it was drawn. */
function idsIn(conditions: string, path: string): readonly number[] | null {
  const now = readScope(conditions, path);
  return now.kind === 'ids' ? now.ids : now.kind === 'none' ? [] : null;
}

interface ScopeFormProps {
  readonly scopeOfText: Exclude<ScopeInText, { kind: 'odd' }>;
  readonly path: string;
}

function ScopeForm({ scopeOfText, path }: ScopeFormProps) {
  const { actions, selectWells } = useTab('query');
  const { scope } = words.query;
  const { searchHint: hint } = words.wells;
  const selected = useTabWells();
  const [search, setSearch] = useState('');
  // Without ids the text has no wells, but the list stays open to select the first one.
  const [picking, setPicking] = useState(scopeOfText.kind === 'ids');
  const ids: readonly number[] =
    scopeOfText.kind === 'ids' ? scopeOfText.ids : scopeOfText.kind === 'chosen' ? scopeOf(selected) : [];
  const write = (next: Parameters<typeof writeScope>[2]) =>
    actions.change((conditions) => writeScope(conditions, path, next));
  const listed = useSessionState('wells', listedWells);
  // Those of the query come first; they stay where they are while the user changes them.
  const [first] = useState(() => new Set(ids));
  const shown = useMemo(() => {
    const isFirst = ({ assetId }: Well) => assetId !== null && first.has(assetId);
    const matching = listed.search(search);
    return [...matching.filter(isFirst), ...matching.filter((well) => !isFirst(well))];
  }, [listed, search, first]);
  function change(add: readonly Well[], remove: ReadonlySet<number | string>): void {
    const added = add.filter(hasAssetId);
    if (scopeOfText.kind === 'chosen')
      selectWells([...selected.filter(({ assetId }) => !remove.has(assetId)), ...added]);
    else
      actions.change((conditions) => {
        const left = (idsIn(conditions, path) ?? ids).filter((id) => !remove.has(id));
        return writeScope(conditions, path, { kind: 'ids', ids: [...new Set([...left, ...scopeOf(added)])] });
      });
  }
  return (
    <div className="stack">
      <OptionGroup
        label={scope.which}
        layout="list"
        value={picking && scopeOfText.kind !== 'chosen' ? 'ids' : scopeOfText.kind}
        options={kinds}
        onChange={(kind) => {
          setPicking(kind === 'ids');
          if (kind === 'ids') write({ kind, ids: ids.length > 0 ? ids : scopeOf(selected) });
          else write({ kind });
        }}
      />
      {scopeOfText.kind === 'chosen' && <p className="field-note">{scope.followNote}</p>}
      {(picking || scopeOfText.kind === 'chosen') && (
        <>
          <SearchBox label={scope.search} placeholder={hint} value={search} onChange={setSearch} />
          <div className="scope-wells box">
            <PickList
              label={scope.pickWells}
              items={shown}
              keyOf={keyOf}
              nameOf={({ name }) => name}
              isDisabled={(well) => !hasAssetId(well)}
              maxSelected={maxSelectedWells}
              render={({ name, assetId }) => (
                <span className="ellipsis">
                  {name} <span className="quiet numbers">{assetId}</span>
                </span>
              )}
              rowHeight={28}
              selected={new Set(ids)}
              onSelectionChange={({ add, remove }) => change(add, remove)}
            />
          </div>
        </>
      )}
    </div>
  );
}

// A well without an asset id can't be selected.
const keyOf = ({ assetId, platformId }: Well) => assetId ?? `platform ${platformId}`;

/** A range as text: the name of its preset, or its bounds. */
export function rangeText(range: Range, zone: string): string {
  const { from, to } = range;
  const { range: w } = words.query;
  const boundText = (bound: Bound) =>
    bound.kind === 'time' ? formatBound(bound, zone).replace(/:00$/, '') : formatBound(bound, zone);
  if (!from) return to ? w.until(boundText(to)) : w.all;
  const preset = presetText(range);
  if (preset) return preset;
  const day = wholeDay(range, zone);
  if (day) return day;
  return to ? w.between(boundText(from), boundText(to)) : w.since(boundText(from));
}

/** The name of a preset range, with its zone if the text has one. */
function presetText(bounds: Range): string | null {
  const preset = presetOf(bounds);
  if (!preset) return null;
  return preset.zone === undefined ? preset.text : words.query.range.inZone(preset.text, preset.zone);
}

function wholeDay({ from, to, excludesFrom, includesTo }: Range, zone: string): string | null {
  if (from?.kind !== 'time' || to?.kind !== 'time' || excludesFrom || includesTo) return null;
  const start = DateTime.fromMillis(from.ms, { zone: zoneOf(zone) ?? 'utc' });
  const isDay =
    start.toMillis() === start.startOf('day').toMillis() && start.plus({ days: 1 }).toMillis() === to.ms;
  return isDay ? start.toISODate() : null;
}

export function RangePicker({ field, conditions }: { field: RangeField; conditions: string }) {
  const { range: text, scope } = words.query;
  const selectedRange = readRange(conditions, field);
  const isTime = field.of === 'time';
  const { results } = useTab('query');
  // As the results show times; raw times have none.
  const zone = useResultsZone(results) ?? 'UTC';
  const current =
    selectedRange.kind === 'odd' ? scope.odd[selectedRange.why] : rangeText(selectedRange, zone);
  return (
    <ConditionPopup
      heading={isTime ? text.pickTime : text.pickDepth}
      label={isTime ? text.time : text.depth}
      icon={isTime ? CalendarClock : Ruler}
      current={current}
      isWide
    >
      {(close) =>
        selectedRange.kind === 'odd' ? (
          <OddNote why={selectedRange.why} />
        ) : (
          <RangeForm
            field={field}
            range={selectedRange}
            conditions={conditions}
            initialZone={zone}
            onDone={close}
          />
        )
      }
    </ConditionPopup>
  );
}

export function ScopeBar() {
  // After rendering: reading a long text takes longer than a key press.
  return <ScopeControls text={useDeferredValue(useTabState('query', (state) => state.text))} />;
}

const ScopeControls = memo(function ScopeControls({ text }: { text: QuestionText }) {
  const { actions, dataset, scopePath } = useTab('query');
  const { setOpen } = useFold();
  const path = scopePath();
  const conditions = conditionsOf(text);
  const field = useMemo(() => rangeFieldOf(dataset.type), [dataset.type]);
  if (conditions === null) return null;
  const showText = () =>
    text.mode === 'pipeline' ? actions.type('pipeline', { view: 'text' }) : setOpen(true);
  return (
    <>
      <div className="scope-bar row wrap faint-below">
        {path !== null && <ScopePicker conditions={conditions} path={path} />}
        {field && <RangePicker field={field} conditions={conditions} />}
        <FilterBar conditions={conditions} onShowText={showText} />
        {field && <CountOffer field={field} conditions={conditions} />}
        {text.mode === 'find' && <FoldButton text={text.find} />}
      </div>
      {path !== null && <ScopeNotice conditions={conditions} path={path} />}
    </>
  );
});

/** Ranges of more days than this offer a count first. */
const maxDaysWithoutCount = 31;

/**
 * Whether a range is so wide that a count is worthwhile: no range, no start, or many days. Ranges that can't
 * be read don't count.
 * @param now Unix milliseconds
 */
export function isWideRange(range: RangeInText, { of }: RangeField, now: number): boolean {
  if (range.kind === 'odd') return false;
  const { from, to } = range;
  if (of === 'depth') return from === null && to === null;
  const [start, end] = [from, to].map((bound) => boundOrder(boundAt(bound, now)));
  return start == null || (end ?? now) - start > maxDaysWithoutCount * 86_400_000;
}

/** Offers a count if the range is wide and the query hasn't run. */
function CountOffer({ field, conditions }: { field: RangeField; conditions: string }) {
  const { actions } = useTab('query');
  const isCurrent = useIsCurrent('counted');
  const isRunCurrent = useIsCurrent('run');
  const isFree = useTabState(
    'query',
    ({ text, count, lastKeys }) =>
      text.mode !== 'pipeline' &&
      !text.countFirst &&
      (lastKeys.run === null || !isRunCurrent) &&
      (count.status === 'idle' || (count.status !== 'running' && !isCurrent)),
  );
  // Days matter here, not minutes: the time of the first render is exact enough.
  const [now] = useState(Date.now);
  const wide = useMemo(() => isWideRange(readRange(conditions, field), field, now), [conditions, field, now]);
  if (!isFree || !wide) return null;
  return (
    <Button
      variant="quiet"
      className="scope-offer ellipsis grow end quiet"
      onPress={() => void actions.count()}
    >
      {words.query.wide}
    </Button>
  );
}

/** Says if the query names other wells than the selected ones, and offers to follow the selection. */
function ScopeNotice({ conditions, path }: { conditions: string; path: string }) {
  const { actions } = useTab('query');
  const selected = useTabWells();
  const scope = useMemo(() => readScope(conditions, path), [conditions, path]);
  if (scope.kind !== 'ids' || selected.length === 0) return null;
  const ids = new Set<number>(scopeOf(selected));
  const scopeIds = new Set(scope.ids);
  if (scopeIds.size === ids.size && scopeIds.isSubsetOf(ids)) return null;
  const followSelection = () => actions.change((current) => writeScope(current, path, { kind: 'chosen' }));
  return (
    <Notice tone="info" action={{ text: words.query.takeWells, run: followSelection }}>
      {words.query.otherWells}
    </Notice>
  );
}

const fetchForm = () => import('../filters/filter-form.tsx');
const w = words.query.filter;

/** The paths whose conditions the pickers of wells and of the range show. */
function usePickedPaths(): readonly string[] {
  const { dataset, scopePath } = useTab('query');
  const scope = scopePath();
  return useMemo(
    () => [scope, rangeFieldOf(dataset.type)?.path].flatMap((path) => path ?? []),
    [dataset.type, scope],
  );
}

interface FilterBarProps {
  readonly conditions: string;
  /** Shows the text of the query, which has the conditions that no form shows. */
  readonly onShowText: () => void;
}

export function FilterBar({ conditions, onShowText }: FilterBarProps) {
  const { actions, results, dataset } = useTab('query');
  const names = useFieldNames(dataset);
  const units = useStore(results.store, (state) => state.units);
  const incomplete = useTabState('query', (state) => state.incompleteFilter);
  const picked = usePickedPaths();
  const filters = useMemo(() => readFilters(conditions, picked), [conditions, picked]);
  const fields = useFields(dataset)?.fields;
  const quick = useMemo(() => quickFilters(fields ?? []), [fields]);
  if (!filters) return null;
  // A field has one filter, which its own form changes.
  const offered = quick.filter(({ filter: { path } }) =>
    filters.filters.every((filter) => filter.path !== path),
  );
  return (
    <>
      {filters.filters.map((filter) => {
        const text = filterText(filter, names, units.get(filter.path));
        return (
          <span key={filter.path} className="row gap-0 min-0 box">
            <FilterPopup filter={filter} text={text} picked={picked} />
            <Button
              variant="quiet"
              size="small"
              icon={X}
              className="flex-none"
              aria-label={w.remove(text)}
              onPress={() => actions.change((query) => removeFilter(query, filter.path))}
            />
          </span>
        );
      })}
      {filters.others > 0 && (
        <Button variant="quiet" onPress={onShowText}>
          {w.others(filters.others)}
        </Button>
      )}
      <FilterPopup filter={null} text={w.add} picked={picked} />
      {offered.map((quickFilter) => (
        <Button
          key={quickFilter.id}
          variant="quiet"
          className="scope-offer"
          aria-label={w.quick.add(w.quick.names[quickFilter.id])}
          onPress={() => void actions.filterByStates(quickFilter)}
        >
          {w.quick.names[quickFilter.id]}
        </Button>
      ))}
      {incomplete && hasFilter(conditions, incomplete) && (
        <Notice tone="warning">{w.quick.incomplete}</Notice>
      )}
    </>
  );
}

/** A filter in words, such as `ROP > 100 ft/h`. */
function filterText({ path, operator, values }: Filter, names: FieldNames, unit: string | undefined): string {
  const texts = values.map((value) =>
    typeof value === 'number' && unit ? `${filterValueText(value)} ${unit}` : filterValueText(value),
  );
  return w.text(names(path).line, operator, texts);
}

interface FilterPopupProps {
  /** Null: a new one. */
  readonly filter: Filter | null;
  readonly text: string;
  readonly picked: readonly string[];
}

function FilterPopup({ filter, text, picked }: FilterPopupProps) {
  return (
    <Popup
      heading={filter ? w.change : w.heading}
      placement="bottom start"
      trigger={{
        className: 'min-0',
        'aria-label': filter ? w.button(text) : text,
        children: <span className={filter ? 'ellipsis' : 'filter-add'}>{text}</span>,
        ...(filter ? {} : { icon: ListFilter }),
      }}
    >
      {(close) => (
        <LazyPart fetch={fetchForm} waiting={<Loading what={w.loading} />}>
          {({ FilterForm }) => (
            // A filter that is completed meanwhile is shown as a whole.
            <FilterForm
              key={stringifyJson([...(filter?.values ?? [])])}
              filter={filter}
              picked={picked}
              onDone={close}
            />
          )}
        </LazyPart>
      )}
    </Popup>
  );
}

const fetchDayRange = () => import('../../../ui/day-range.tsx');

/** The preset that a range equals, with its zone if the text has one; null: none. */
export function presetOf({ from, to, excludesFrom, includesTo }: Range) {
  if (excludesFrom || includesTo) return null;
  const [start, end] = [from, to].map((bound) => {
    if (bound?.kind !== 'moment') return { moment: bound?.kind, zone: undefined };
    const [moment, zone] = bound.written.split('@').map((part) => part.trim());
    return { moment, zone };
  });
  const preset = words.query.range.presetList.find(
    (preset) => preset.id === start?.moment && preset.to === end?.moment,
  );
  if (!preset || (to && start?.zone !== end?.zone)) return null;
  return { ...preset, zone: start?.zone };
}

interface RangeFormProps {
  readonly field: RangeField;
  readonly range: Range;
  readonly conditions: string;
  readonly initialZone: string;
  readonly onDone: () => void;
}

export function RangeForm({ field, range, conditions, initialZone, onDone }: RangeFormProps) {
  const { actions } = useTab('query');
  const { range: text } = words.query;
  const [zone, setZone] = useState(initialZone);
  const [inputs, setInputs] = useState<Pick<RangeInputs, 'from' | 'to'>>(() => ({
    from: formatBound(range.from, initialZone),
    to: formatBound(range.to, initialZone),
  }));
  const [problems, setProblems] = useState<Partial<Record<keyof RangeInputs, RangeProblem>>>({});
  // Days include their start and exclude their end, whatever the query did.
  const [hasDays, setHasDays] = useState(false);
  const before: Range = hasDays ? { from: range.from, to: range.to } : range;
  const endsText = text.ends(before.excludesFrom ?? false, before.includesTo ?? false);
  const write = (next: Range) => {
    actions.change((conditions) => writeRange(conditions, field, next));
    onDone();
  };
  // Another zone shows the same moment, unless the user changed the text.
  const changeZone = (next: string) => {
    const converted = (name: 'from' | 'to') =>
      inputs[name] === formatBound(range[name], zone) ? formatBound(range[name], next) : inputs[name];
    setInputs({ from: converted('from'), to: converted('to') });
    setZone(next);
    setProblems({});
  };
  const isTime = field.of === 'time';
  const now = useTimeOfDay(minuteMs);
  const current = presetOf(range);
  // A day begins in the zone of the form.
  const moment = (written: string): Bound => {
    const inZone = written.startsWith('today') && zone !== localZone() && zoneOf(zone) !== undefined;
    return { kind: 'moment', written: inZone ? `${written}@${zone}` : written };
  };
  const messages: Record<RangeProblem, string> = {
    bad: isTime ? text.badTime : text.badDepth(),
    zone: text.badZone,
    backwards: text.backwards,
  };
  const end = (name: 'from' | 'to') => ({
    name,
    label: text[name],
    value: inputs[name],
    onChange: (value: string) => {
      setInputs((before) => ({ ...before, [name]: value }));
      setProblems({});
    },
    problem: problems[name] && messages[problems[name]],
    placeholder: isTime ? text.timeHint : text.depthHint,
    mono: true,
  });
  return (
    <Form
      className="stack"
      onSubmit={() => {
        const read = parseRange({ ...inputs, zone }, before, field.of);
        if ('range' in read) write(read.range);
        else setProblems(read.problems);
      }}
    >
      {isTime && (
        <div className="row wrap items-stretch gap-3">
          <fieldset className="range-presets stack" aria-label={text.presets}>
            {text.presetList.map((preset) => (
              <Button
                key={preset.id}
                variant="quiet"
                isMultiline
                aria-current={preset.id === current?.id}
                onPress={() => {
                  write({ from: moment(preset.id), to: preset.to ? moment(preset.to) : null });
                  void actions.run();
                }}
              >
                {preset.text}
              </Button>
            ))}
          </fieldset>
          <div className="range-days">
            <LazyPart fetch={fetchDayRange}>
              {({ default: DayRange }) => (
                <DayRange
                  label={text.days}
                  today={dayOf(now, zone)}
                  value={daysOf({ ...inputs, zone })}
                  onChange={(days) => {
                    setInputs(inputsOfDays(days, zone));
                    setHasDays(true);
                    setProblems({});
                  }}
                />
              )}
            </LazyPart>
          </div>
        </div>
      )}
      <div className="halves gap-2">
        <TextField {...end('from')} />
        <TextField {...end('to')} />
      </div>
      {isTime && (
        <div className="stack gap-1">
          <ZoneCombo
            label={text.zone}
            value={zone}
            allowsCustom
            onChoose={changeZone}
            problem={problems.zone && messages[problems.zone]}
          />
          <WellZoneButtons conditions={conditions} zone={zone} onSelect={changeZone} />
        </div>
      )}
      <p className="field-note">{isTime ? text.timeNote(endsText) : text.depthNote(endsText)}</p>
      <div className="row wrap">
        <Button type="submit" variant="primary">
          {text.set}
        </Button>
        <Button variant="quiet" onPress={() => write({ from: null, to: null })}>
          {text.clear}
        </Button>
      </div>
    </Form>
  );
}

interface WellZoneButtonsProps {
  readonly conditions: string;
  readonly zone: string;
  readonly onSelect: (zone: string) => void;
}

/** Selects the time zone of the query's wells, if the platform service has one. */
function WellZoneButtons({ conditions, zone, onSelect }: WellZoneButtonsProps) {
  const { scopePath } = useTab('query');
  const path = scopePath();
  const scope = path === null ? null : readScope(conditions, path);
  const wells = useWellZones(scope?.kind === 'ids' ? scope.ids : []);
  const zones =
    wells.status === 'one'
      ? [wells.zone]
      : wells.status === 'several'
        ? wells.zones.map((wellZone) => wellZone.zone)
        : [];
  return zones
    .filter((otherZone) => otherZone !== zone)
    .map((otherZone) => (
      <Button key={otherZone} className="self-start" onPress={() => onSelect(otherZone)}>
        {words.query.range.wellZone(otherZone)}
      </Button>
    ));
}
