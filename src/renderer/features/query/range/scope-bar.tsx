import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { QuestionText } from '../../../../shared/query/question.ts';
import { Notice } from '../../../ui/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { scopeOf, hasAssetId, type ScopedWell, type Well } from '../../../../shared/wells/wells.ts';
import { conditionsOf } from '../conditions.ts';
import { useIsCurrent } from '../question-parts.ts';
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
} from '../../../../shared/language/text/conditions.ts';
import { useTab, useTabState, useSessionState } from '../../../contexts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { boundAt, boundOrder, formatBound } from '../../../format/range-inputs.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { FoldButton, useFold } from '../question-fold.tsx';
import { CalendarClock, Ruler, Drill } from 'lucide-react';
import { DateTime } from 'luxon';
import { zoneOf } from '../../../../shared/language/moments.ts';
import { Popup } from '../../../ui/popup.tsx';
import { useResultsZone } from '../../results/times/use-well-zones.ts';
import { presetOf, RangeForm } from './range-form.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { PickList } from '../../../ui/pick-list.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import type { WellIndex } from '../../wells/well-index.ts';
import { listedWells, maxSelectedWells } from '../../wells/wells-state.ts';

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
      : scopeOfText.ids.map(
          (id) => listed.well('assetId', id)?.name ?? words.wells.inRow.assetId(String(id)),
        );
  return scope.some(names.slice(0, namesShown), Math.max(0, names.length - namesShown));
}

/** The wells of the query, read from the text and written to it. */
export function ScopePicker({ conditions, path }: { conditions: string; path: string }) {
  const { scope } = words.query;
  const scopeOfText = readScope(conditions, path);
  const listed = useSessionState('wells', listedWells);
  const selected = useTabWells();
  const label = scopeText(scopeOfText, selected, listed);
  return (
    <Popup
      heading={scope.pickWells}
      placement="bottom start"
      trigger={
        <Button
          variant="quiet"
          className="scope-button min-0"
          icon={Drill}
          aria-label={`${scope.wells}: ${label}`}
        >
          <span className="quiet scope-label">{scope.wells}</span> <span className="ellipsis">{label}</span>
        </Button>
      }
    >
      {() =>
        scopeOfText.kind === 'odd' ? (
          <p className="query-note quiet">{scope.oddNote[scopeOfText.why]}</p>
        ) : (
          <ScopeForm scopeOfText={scopeOfText} path={path} />
        )
      }
    </Popup>
  );
}

interface ScopeFormProps {
  readonly scopeOfText: Exclude<ScopeInText, { kind: 'odd' }>;
  readonly path: string;
}

function ScopeForm({ scopeOfText, path }: ScopeFormProps) {
  const { actions, selectWells } = useTab('query');
  const { scope } = words.query;
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
      write({ kind: 'ids', ids: [...new Set([...ids.filter((id) => !remove.has(id)), ...scopeOf(added)])] });
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
          <SearchBox
            label={scope.search}
            placeholder={words.wells.searchHint}
            value={search}
            onChange={setSearch}
          />
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
  const boundText = (bound: Bound) => formatBound(bound, zone).replace(/:00$/, '');
  if (!from) return to ? w.until(boundText(to)) : w.all;
  const preset = presetText(range);
  if (preset) return preset;
  const day = dayOf(range, zone);
  if (day) return day;
  return to ? w.between(boundText(from), boundText(to)) : w.since(boundText(from));
}

/** The name of a preset range, with its zone if the text has one. */
function presetText(bounds: Range): string | null {
  const preset = presetOf(bounds);
  if (!preset) return null;
  return preset.zone === undefined ? preset.text : words.query.range.inZone(preset.text, preset.zone);
}

/** The date of a range that is a whole day of a zone. */
function dayOf({ from, to, excludesFrom, includesTo }: Range, zone: string): string | null {
  if (from?.kind !== 'time' || to?.kind !== 'time' || excludesFrom || includesTo) return null;
  const start = DateTime.fromMillis(from.ms, { zone: zoneOf(zone) ?? 'utc' });
  const isDay =
    start.toMillis() === start.startOf('day').toMillis() && start.plus({ days: 1 }).toMillis() === to.ms;
  return isDay ? start.toISODate() : null;
}

/** The range of times or depths, read from the text and written to it. */
export function RangePicker({ field, conditions }: { field: RangeField; conditions: string }) {
  const { range: text, scope } = words.query;
  const selectedRange = readRange(conditions, field);
  const heading = field.of === 'time' ? text.pickTime : text.pickDepth;
  const label = field.of === 'time' ? text.time : text.depth;
  const { results } = useTab('query');
  // As the results show times; raw times have none.
  const zone = useResultsZone(results) ?? 'UTC';
  const current =
    selectedRange.kind === 'odd' ? scope.odd[selectedRange.why] : rangeText(selectedRange, zone);
  return (
    <Popup
      heading={heading}
      placement="bottom start"
      isWide
      trigger={
        <Button
          variant="quiet"
          className="scope-button min-0"
          icon={field.of === 'time' ? CalendarClock : Ruler}
          aria-label={`${label}: ${current}`}
        >
          <span className="quiet scope-label">{label}</span> <span className="ellipsis">{current}</span>
        </Button>
      }
    >
      {(close) =>
        selectedRange.kind === 'odd' ? (
          <p className="query-note quiet">{scope.oddNote[selectedRange.why]}</p>
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
    </Popup>
  );
}

/** The text after rendering: reading a long text takes longer than a key press. */
const useDeferredText = (): QuestionText => useDeferredValue(useTabState('query', (state) => state.text));

/** The wells, the range, and the filters of the query. */
export function ScopeBar() {
  return <ScopeControls text={useDeferredText()} />;
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
    <div className="scope-bar row wrap faint-below">
      {path !== null && <ScopePicker conditions={conditions} path={path} />}
      {field && <RangePicker field={field} conditions={conditions} />}
      <FilterBar conditions={conditions} onShowText={showText} />
      {field && <CountOffer field={field} conditions={conditions} />}
      {text.mode === 'find' && <FoldButton text={text.find} />}
    </div>
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
    ({ text, count, lastParts }) =>
      text.mode !== 'pipeline' &&
      !text.countFirst &&
      (lastParts.run === null || !isRunCurrent) &&
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
export function ScopeNotice() {
  return <ScopeMismatch text={useDeferredText()} />;
}

const ScopeMismatch = memo(function ScopeMismatch({ text }: { text: QuestionText }) {
  const { actions, scopePath } = useTab('query');
  const selected = useTabWells();
  const queryConditions = conditionsOf(text);
  const path = scopePath();
  const scope = useMemo(
    () => (queryConditions === null || path === null ? null : readScope(queryConditions, path)),
    [queryConditions, path],
  );
  if (path === null || scope?.kind !== 'ids' || selected.length === 0) return null;
  const ids = new Set<number>(scopeOf(selected));
  const scopeIds = new Set(scope.ids);
  if (scopeIds.size === ids.size && scopeIds.isSubsetOf(ids)) return null;
  const followSelection = () =>
    actions.change((conditions) => writeScope(conditions, path, { kind: 'chosen' }));
  return (
    <Notice
      tone="info"
      actions={
        <Button variant="quiet" onPress={followSelection}>
          {words.query.takeWells}
        </Button>
      }
    >
      {words.query.otherWells}
    </Notice>
  );
});
