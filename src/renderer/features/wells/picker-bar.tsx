import {
  ArrowDownUp,
  CircleCheck,
  CircleHelp,
  CircleX,
  ClipboardPaste,
  Rows3,
  Table2,
  X,
} from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Button, type Icon } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { useAppState, useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import {
  defaultFacts,
  definitionOf,
  factFields,
  groupOf,
  isRelated,
  parseFacts,
  type FactField,
} from './fields.ts';
import { FilterButton } from './filters.tsx';
import { noFilter } from './well-index.ts';
import { maxSelectedWells, views } from './wells-state.ts';
import { hasAssetId, type ScopedWell, type Well, type PlatformWellId } from '../../../shared/wells/wells.ts';
import { openBrowse } from './browse-kind.ts';
import { readList } from '../../../shared/value-lists.ts';
import type { ResolvedName } from '../../../shared/contract/catalogue.ts';
import { ListStatus } from '../../ui/list-field.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useTask } from '../../state/latest-task.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';
import { Status } from '../../ui/status.tsx';

interface PasteResult {
  readonly all: number;
  readonly wells: readonly ScopedWell[];
  readonly notFound: readonly string[];
  /** Names that match several wells, with or without a pick. */
  readonly ambiguous: readonly ResolvedName[];
  /** The well that the user picked for each ambiguous name. */
  readonly picks: ReadonlyMap<string, PlatformWellId>;
  /** Matches without an asset id: they have no data to query. */
  readonly withoutAsset: readonly Well[];
}

/** Each well is included once. */
export function mergePicks(resolved: readonly ResolvedName[], picks: PasteResult['picks']): PasteResult {
  const ambiguous = resolved.filter(({ wells }) => wells.length > 1);
  const matches = resolved.flatMap(({ name, wells }) =>
    wells.length > 1 ? wells.filter(({ platformId }) => platformId === picks.get(name)) : wells,
  );
  const unique = [...new Map(matches.map((well) => [well.platformId, well])).values()];
  return {
    all: resolved.length,
    wells: unique.filter(hasAssetId),
    notFound: resolved.filter(({ wells }) => wells.length === 0).map(({ name }) => name),
    ambiguous,
    picks,
    withoutAsset: unique.filter((well) => !hasAssetId(well)),
  };
}

interface ResolvedListProps {
  readonly result: PasteResult;
  readonly onPick: (name: string, platformId: PlatformWellId) => void;
}

function ResolvedList({ result, onPick }: ResolvedListProps) {
  const { all, ambiguous, notFound, picks, withoutAsset } = result;
  const w = words.wells.paste;
  return (
    <div className="stack gap-3">
      <Status className="row numbers">
        <CircleCheck size={14} aria-hidden className="tone-ok" />
        {w.found(all - notFound.length - ambiguous.length + picks.size, all)}
      </Status>
      {withoutAsset.length > 0 && <p className="quiet">{w.noData(withoutAsset.length)}</p>}
      {ambiguous.length > 0 && (
        <section aria-label={w.ambiguous(ambiguous.length)}>
          <h3 className="row">
            <CircleHelp size={14} aria-hidden />
            {w.ambiguous(ambiguous.length)}
          </h3>
          <ul className="resolved-some above-1 scroll">
            {ambiguous.map((group) => (
              <Ambiguous key={group.name} resolved={group} pick={picks.get(group.name)} onPick={onPick} />
            ))}
          </ul>
        </section>
      )}
      {notFound.length > 0 && (
        <section aria-label={w.notFound(notFound.length)}>
          <h3 className="row">
            <CircleX size={14} aria-hidden />
            {w.notFound(notFound.length)}
          </h3>
          <p className="quiet">{w.notFoundHint}</p>
          <ul className="resolved-some above-1 scroll mono">
            {notFound.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

const noPick = '';

interface AmbiguousProps {
  readonly resolved: ResolvedName;
  readonly pick: PlatformWellId | undefined;
  readonly onPick: ResolvedListProps['onPick'];
}

function Ambiguous({ resolved: { name, wells }, pick, onPick }: AmbiguousProps) {
  const options = [
    ...(pick === undefined ? [{ id: noPick, text: words.wells.paste.pick }] : []),
    ...wells.map((well) => ({ id: String(well.platformId), text: distinguish(well) })),
  ];
  return (
    <li className="resolved-choice items-center gap-2">
      <span className="ellipsis">{name}</span>
      <SelectBox
        label={words.wells.paste.which(name)}
        value={pick === undefined ? noPick : String(pick)}
        options={options}
        onChange={(id) => {
          const well = wells.find(({ platformId }) => String(platformId) === id);
          if (well) onPick(name, well.platformId);
        }}
      />
    </li>
  );
}

function distinguish({ name, apiNumber, assetId, area }: Well): string {
  const asset = assetId === null ? words.wells.noAsset : words.wells.inRow.assetId(String(assetId));
  return [name, apiNumber, area, asset].filter((part) => part !== null).join(' · ');
}

/** The maximum number of names in one lookup. */
const maxNames = 1000;

export function PasteButton() {
  return (
    <Popup
      heading={words.wells.paste.open}
      placement="bottom start"
      isWide
      trigger={{ icon: ClipboardPaste }}
    >
      {(close) => <PasteList onDone={close} />}
    </Popup>
  );
}

function PasteList({ onDone }: { onDone: () => void }) {
  const { resolve, selectWells } = useSession().wells.actions;
  const chosen = useSelectedWells();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const names = readList(text);
  const task = useTask((wanted: readonly string[], signal) => resolve(wanted, signal));
  const w = words.wells.paste;
  const start = () => {
    const issues = names.length === 0 ? w.none : names.length > maxNames ? w.many(maxNames) : null;
    setProblem(issues);
    if (issues === null) void task.start(names);
  };
  if (task.isRunning) return <Loading what={w.working(names.length)} onCancel={task.reset} />;
  if (task.error) return <Failed error={task.error} onRetry={start} />;
  if (task.value)
    return (
      <ResolvedStep
        resolved={task.value}
        onBack={task.reset}
        onAdd={(wells, add) => {
          selectWells(add ? [...chosen, ...wells] : wells);
          onDone();
        }}
      />
    );
  return (
    <div>
      <TextField
        label={w.label}
        name="names"
        value={text}
        rows={8}
        onChange={setText}
        problem={problem ?? undefined}
        mono
        // oxlint-disable-next-line no-autofocus -- the popup has nothing else to fill in
        autoFocus
        note={<ListStatus count={names.length} />}
      />
      <div className="above-3 to-end row wrap">
        <Button variant="primary" onPress={start}>
          {w.resolve}
        </Button>
      </div>
    </div>
  );
}

interface ResolvedStepProps {
  readonly resolved: readonly ResolvedName[];
  readonly onBack: () => void;
  readonly onAdd: (wells: readonly Well[], add: boolean) => void;
}

function ResolvedStep({ resolved, onBack, onAdd }: ResolvedStepProps) {
  const [picks, setPicks] = useState<PasteResult['picks']>(new Map());
  const hasSelection = useSelectedWells().length > 0;
  const result = mergePicks(resolved, picks);
  const w = words.wells.paste;
  const none = result.wells.length === 0;
  return (
    <div>
      <ResolvedList
        result={result}
        onPick={(name, platformId) => setPicks(new Map(picks).set(name, platformId))}
      />
      <div className="above-3 to-end row wrap">
        <Button onPress={onBack}>{w.again}</Button>
        {hasSelection && (
          <Button isDisabled={none} onPress={() => onAdd(result.wells, true)}>
            {w.add}
          </Button>
        )}
        <Button variant="primary" isDisabled={none} onPress={() => onAdd(result.wells, false)}>
          {w.take(result.wells.length)}
        </Button>
      </div>
    </div>
  );
}

const viewOptions = views.map((id) => ({ id, text: words.wells.views[id] }));
const sorts = ['name', 'lastActiveAt', 'startedAt', 'status', 'companyId', 'area'] as const;
const sortItems = sorts.map((id) => ({
  id,
  text: id === 'startedAt' ? words.wells.newestStart : words.wells.fields[id],
}));
const facts = factFields.filter((field) => field !== 'status');

/** Enter in the search opens the only well found. */
export function PickerBar({ onOpen }: { onOpen: (well: ScopedWell) => void }) {
  const session = useSession();
  const view = useSessionState('wells', (state) => state.view);
  const wellRows = useAppState('settings', (state) => state.values.wellRows);
  const actions = useSession().wells.actions;
  return (
    <div className="list-head">
      <div className="row gap-1">
        <WellSearch onOpen={onOpen} />
        <FilterButton />
      </div>
      <div className="above-1 row gap-1">
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
    isRelated(sort.by) ? state[groupOf(sort.by)].names : undefined,
  );
  const { updateNames, ...actions } = useSession().wells.actions;
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
        const by = sorts.find((sort) => sort === id);
        if (!by) return;
        const descending = by !== 'name' && definitionOf(by).isTime === true;
        actions.sort({ by, descending }, by === 'companyId' ? companies : undefined);
      }}
    />
  );
}

interface FieldSelectProps {
  readonly heading: string;
  readonly note: string;
  readonly icon: Icon;
  readonly all: readonly FactField[];
  readonly selected: readonly FactField[];
  readonly onSelect: (fields: readonly FactField[]) => void;
}

export function FieldSelect({ heading, note, icon, all, selected, onSelect }: FieldSelectProps) {
  return (
    <Popup heading={heading} trigger={{ icon }}>
      {() => (
        <fieldset aria-label={heading} className="stack gap-1">
          <p className="quiet field-choice-note">{note}</p>
          {all.map((field) => (
            <CheckBox
              key={field}
              label={words.wells.fields[field]}
              checked={selected.includes(field)}
              onChange={(isShown) =>
                onSelect(all.filter((other) => (other === field ? isShown : selected.includes(other))))
              }
            />
          ))}
        </fieldset>
      )}
    </Popup>
  );
}

export function ListFoot({ onAgain }: { onAgain: () => void }) {
  const foundCount = useSessionState('wells', (state) => state.found?.length ?? 0);
  const listCount = useSessionState('wells', (state) =>
    state.list.status === 'loaded' ? state.list.value.count : 0,
  );
  const serviceCount = useSessionState('wells', (state) =>
    state.serviceResult.status === 'loaded' ? state.serviceResult.value.count : null,
  );
  const selectedCount = useSelectedWells().length;
  const freshness = useSessionState('wells', (state) => state.freshness);
  const isFirstLoad = freshness.isLoading && freshness.asOf === null;
  const w = words.wells;
  const { deselectAll } = useSession().wells.actions;
  return (
    <div className="list-foot">
      <div className="list-foot-line row">
        <Status className="quiet numbers">
          {isFirstLoad ? w.soFar(listCount) : w.shown(foundCount, serviceCount ?? listCount)} ·{' '}
          {selectedCount < maxSelectedWells ? w.chosen(selectedCount) : w.chosenMost(selectedCount)}
        </Status>
        {selectedCount > 0 && (
          <Button variant="quiet" size="small" icon={X} aria-label={w.removeAll} onPress={deselectAll} />
        )}
      </div>
      <ListAge freshness={freshness} onAgain={onAgain} />
    </div>
  );
}

export function LoadedWells({ onAgain, children }: { onAgain: () => void; children: ReactNode }) {
  const list = useSessionState('wells', (state) => state.list);
  const { cancel } = useSession().wells.actions;
  const w = words.wells;
  switch (list.status) {
    case 'idle':
      return <Empty action={<Button onPress={onAgain}>{w.load}</Button>}>{w.notLoaded}</Empty>;
    case 'loading':
      return <Loading what={w.loading} onCancel={cancel} />;
    case 'failed':
      return <ConnectionFailed error={list.error} onRetry={onAgain} />;
    case 'loaded':
      return children;
  }
}

/** The wells that match search and filters; null: none, or not known yet. */
export function useFoundWells(): readonly Well[] | null {
  const isKnown = useSessionState(
    'wells',
    ({ serviceResult: { status } }) => status !== 'failed' && status !== 'loading',
  );
  const wells = useSessionState('wells', (state) => state.found);
  return isKnown && wells && wells.length > 0 ? wells : null;
}

export function NoWells() {
  const serviceResult = useSessionState('wells', (state) => state.serviceResult);
  const isKnown = useSessionState('wells', (state) => state.found !== null);
  const { cancel, retryFilter } = useSession().wells.actions;
  if (serviceResult.status === 'failed')
    return <ConnectionFailed error={serviceResult.error} onRetry={retryFilter} />;
  if (serviceResult.status === 'loading') return <Loading what={words.wells.asking} onCancel={cancel} />;
  return isKnown && <NoMatch />;
}

function NoMatch() {
  const search = useSessionState('wells', (state) => state.search).trim();
  const view = useSessionState('wells', (state) => state.view);
  const filtered = useSessionState('wells', (state) => Object.keys(state.filter).length > 0);
  const actions = useSession().wells.actions;
  const w = words.wells;
  if (search !== '')
    return (
      <Empty
        action={
          <>
            <Button onPress={() => actions.search('')}>{words.clearSearch}</Button>
            {filtered && <ClearFilters />}
          </>
        }
      >
        {filtered ? w.noMatchBoth(search) : w.noMatch(search)}
      </Empty>
    );
  if (filtered) return <Empty action={<ClearFilters />}>{w.noMatchFilter}</Empty>;
  if (view !== 'all')
    return (
      <Empty action={<Button onPress={() => actions.show('all')}>{w.showAll}</Button>}>
        {w.noneInView[view]}
      </Empty>
    );
  return <Empty>{w.empty}</Empty>;
}

function ClearFilters() {
  const { filter } = useSession().wells.actions;
  return <Button onPress={() => filter(noFilter)}>{words.wells.clearFilters}</Button>;
}
