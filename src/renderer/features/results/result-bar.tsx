import {
  Circle,
  CircleCheck,
  Copy,
  Download,
  FileDown,
  ListEnd,
  Maximize2,
  SquareFunction,
  Minimize2,
  Radio,
  Columns3,
  ChevronDown,
  ChevronUp,
} from 'lucide-react';
import { useEffect, type RefObject, useState, useEffectEvent, useMemo, useRef } from 'react';
import { decimalMark, formatBytes } from '../../format/numbers.ts';
import { fieldSearch } from '../datasets/field-options.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { formatDuration } from '../../format/times.ts';
import { Button } from '../../ui/button.tsx';
import { type CellSelection, countRows, type GridControl } from '../../ui/grid/index.ts';
import {
  MenuButton,
  PartsMenuButton,
  type MenuChoice,
  type MenuPart,
  type MenuParts,
} from '../../ui/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { recipeWords } from '../../words/recipes.ts';
import { words } from '../../words/words.ts';
import { useShortcut } from '../commands/command-button.tsx';
import { ViewSelect } from './view-parts.tsx';
import { copyFormats, savedFormats } from '../records/row-writer.ts';
import { useApp, useAppState, useTab, useTabState } from '../../contexts.ts';
import { exportedFields, shownColumns, orderColumns } from './grid-columns.ts';
import { isCompleteResult, isLimited, maxLoadedRows } from './load-all.ts';
import { resultsViews } from '../../../shared/tabs/plot.ts';
import type { Result } from './results.ts';
import { useCopy } from './use-copy.ts';
import { useLoaded } from '../../state/resource.ts';
import { useViewCall } from '../../state/view-call.ts';
import type { WellZones } from '../../format/time-view.ts';
import { ZoneBox } from './times/zone-box.tsx';
import { useGridHeads, useShape, watchGrowth } from './use-records.ts';
import './result-bar.css';
import { CheckBox } from '../../ui/check-box.tsx';
import { PickList, type SelectionChange } from '../../ui/pick-list.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { pathId } from '../../../shared/column-paths.ts';
import type { ColumnHead } from '../records/table.ts';
import { useStore } from 'zustand';
import { plotWords } from '../../words/plot.ts';
import type { FindOptions, FindResult } from '../records/find.ts';
import { idle, loaded, loading, valueOr, type Loadable } from '../../state/loadable.ts';

interface FindBoxProps {
  readonly result: Result;
  readonly control: RefObject<GridControl | null>;
}

type Matches = FindResult & Pick<FindOptions, 'paths'>;

/** The matches of a text in loaded records, also those so far, found again when more are loaded. */
function useMatches(result: Result, text: string, onFound: (matches: Matches) => void): Loadable<Matches> {
  const { held } = result;
  const tell = useEffectEvent(onFound);
  const { loadAll } = useTab('results');
  const grid = useTabState('results', (state) => state.grid);
  const columns = useGridHeads(result);
  const { zone, wellNames, logNames, changes } = useTab('shown');
  const numbers = useAppState('settings', ({ values }) => values.numbers);
  const search = useMemo(() => {
    if (text.trim() === '') return null;
    const paths = shownColumns(columns, grid).map(({ path }) => path);
    const mark = decimalMark(numbers);
    return { held, text, paths, zone, wellNames, logNames, changes, decimalMark: mark } as const;
  }, [text, held, grid, zone, columns, wellNames, logNames, changes, numbers]);
  const [answer, setAnswer] = useState<{ readonly to: object; readonly matches: Loadable<Matches> }>();
  useEffect(() => {
    if (!search) return undefined;
    const { held: records, ...options } = search;
    let hasAll = false;
    const show = (matches: Loadable<Matches>) => {
      setAnswer({ to: search, matches });
      if (matches.status !== 'loaded') return;
      hasAll ||= matches.value.isComplete;
      tell(matches.value);
    };
    const { paths } = options;
    const read = async (signal: AbortSignal): Promise<Matches> => {
      // All matches of fewer rows stay until there are those of more.
      const onEvent = (part: FindResult) => !hasAll && !signal.aborted && show(loaded({ ...part, paths }));
      return { ...(await records.find(options, { signal, onEvent })), paths };
    };
    return watchGrowth(records, loadAll, read, show);
  }, [search, loadAll]);
  if (!search) return idle;
  return answer?.to === search ? answer.matches : loading;
}

function useMatchSteps(result: Result, text: string, control: FindBoxProps['control']) {
  // A match belongs to one result.
  const [place, setPlace] = useState({ in: result.held, at: -1 });
  const at = place.in === result.held ? place.at : -1;
  const setAt = (next: number) => setPlace({ in: result.held, at: next });

  /** The step of a key that was pressed before its match was found. */
  const waitingStep = useRef<1 | -1 | null>(null);
  const go = (step: 1 | -1, matches: Matches | null) => {
    const hits = matches?.rows.length ?? 0;
    const isFound = matches?.isComplete || (step > 0 ? at + 1 < hits : at > 0);
    waitingStep.current = isFound || text.trim() === '' ? null : step;
    if (!matches || !isFound || hits === 0) return;
    const next = at < 0 && step < 0 ? hits - 1 : (at + step + hits) % hits;
    const path = matches.paths[matches.columns[next] ?? 0];
    // The focus stays in the box, so that Enter continues.
    if (path) control.current?.show(matches.rows[next] ?? 0, pathId(path), true);
    setAt(next);
  };
  const search = useMatches(result, text, (next) => {
    if (waitingStep.current !== null) go(waitingStep.current, next);
  });
  const restart = () => {
    setAt(-1);
    waitingStep.current = null;
  };
  return { search, at, go, restart };
}

/** Enter goes to the next match, Shift+Enter to the previous one. */
function FindBox({ result, control }: FindBoxProps) {
  const w = words.results.find;
  const [text, setText] = useState('');
  const { search, at, go, restart } = useMatchSteps(result, text, control);
  const matches = valueOr(search, null);
  const box = useRef<HTMLElement>(null);
  useViewCall(useTab('results').calls.focusFind, () => box.current?.querySelector('input')?.focus());
  const part = matches && !isCompleteResult(result, matches.searched) ? matches.searched : null;
  const count = matches && (at < 0 ? w.hits(matches.hits, part) : w.place(at + 1, matches.hits, part));
  return (
    <search className="results-find row wrap min-0" ref={box}>
      <SearchBox
        className="find-input"
        label={w.label}
        placeholder={w.placeholder}
        value={text}
        onChange={(next) => {
          setText(next);
          restart();
        }}
        onSubmit={(back) => go(back ? -1 : 1, matches)}
      />
      {search.status === 'failed' && (
        <Status className="find-count one-line quiet">
          {w.failed} {search.error.message}
        </Status>
      )}
      {(matches ?? search.status === 'loading') && (
        <Status className="find-count one-line numbers quiet">
          {matches?.isComplete ? count : w.searching(matches?.hits ?? 0, at + 1)}
        </Status>
      )}
      {matches && (
        <>
          {matches.hits > 0 && (
            <>
              <Button
                variant="quiet"
                icon={ChevronUp}
                aria-label={w.before}
                onPress={() => go(-1, matches)}
              />
              <Button variant="quiet" icon={ChevronDown} aria-label={w.next} onPress={() => go(1, matches)} />
            </>
          )}
          <LoadMore result={result} />
        </>
      )}
    </search>
  );
}

/** Loads and searches the remaining rows. */
function LoadMore({ result }: { result: Result }) {
  const { actions, loadAll } = useTab('results');
  const loading = useStore(loadAll.store);
  const { rows, held, isComplete } = useShape(result.held);
  const w = words.results.find;
  if (loading.status === 'running')
    return (
      <>
        <span className="numbers quiet">{w.loading(loading.done, isComplete ? rows : null)}</span>
        <Button variant="quiet" onPress={loadAll.actions.stop}>
          {plotWords.reach.stop}
        </Button>
      </>
    );
  const isMore = isLimited(result) || !isComplete || held < Math.min(rows, maxLoadedRows);
  if (result.request.kind !== 'find' || !isMore) return null;
  return (
    <Button variant="quiet" onPress={() => void actions.loadAll()}>
      {loading.status === 'failed' ? words.tryAgain : w.loadAll}
    </Button>
  );
}

function ColumnsButton({ result }: { result: Result }) {
  const hidden = useTabState('results', (state) => state.grid.hidden.length);
  const w = words.results.columns;
  return (
    <Popup
      heading={w.heading}
      trigger={{
        icon: Columns3,
        ...(hidden > 0 ? { 'aria-label': w.some(hidden), children: w.hidden(hidden) } : {}),
      }}
    >
      {(close) => <ColumnsForm result={result} onDone={close} />}
    </Popup>
  );
}

const rowHeight = 28;

function ColumnsForm({ result, onDone }: { result: Result; onDone: () => void }) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.grid);
  const columns = useGridHeads(result);
  const { onExport } = useTab('links');
  const { request } = result;
  const [search, setSearch] = useState('');
  const w = words.results.columns;
  const { names } = useTab('shown');
  const nameOf = ({ path, kind }: ColumnHead): string =>
    kind === 'well' ? words.results.well : names(pathId(path)).line;
  const matches = fieldSearch(search, useSynonyms());
  const fitting = orderColumns(columns, view).filter((column) =>
    matches(pathId(column.path), [nameOf(column)]),
  );
  const choose = ({ add, remove }: SelectionChange<ColumnHead>) => {
    const shown = new Set(add.map(({ path }) => pathId(path)));
    const removedIds = fitting.map(({ path }) => pathId(path)).filter((id) => remove.has(id));
    actions.arrange({ hidden: [...view.hidden.filter((id) => !shown.has(id)), ...removedIds] });
  };
  return (
    <div className="stack">
      <SearchBox label={w.search} placeholder={w.search} value={search} onChange={setSearch} />
      <div style={{ height: Math.min(Math.max(fitting.length, 1), 8) * rowHeight }}>
        <PickList
          label={w.heading}
          items={fitting}
          keyOf={({ path }: ColumnHead) => pathId(path)}
          nameOf={nameOf}
          render={(column) => <span className="ellipsis">{nameOf(column)}</span>}
          rowHeight={rowHeight}
          selected={
            new Set(fitting.map(({ path }) => pathId(path)).filter((id) => !view.hidden.includes(id)))
          }
          onSelectionChange={choose}
        />
      </div>
      <CheckBox
        label={w.distributions}
        checked={view.distributions ?? false}
        onChange={(distributions) => actions.arrange({ distributions })}
      />
      <div className="row wrap">
        <Button variant="quiet" onPress={() => actions.resetLayout()}>
          {w.reset}
        </Button>
        {request.kind === 'find' && (
          <Button
            variant="quiet"
            onPress={() => {
              onExport(request.request, exportedFields(columns, view, []));
              onDone();
            }}
          >
            {w.export}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ResultProps {
  readonly result: Result;
  readonly control: RefObject<GridControl | null>;
}

interface ResultBarProps extends ResultProps {
  readonly wells: WellZones;
}

export function ResultBar({ result, control, wells }: ResultBarProps) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.view);
  const zone = useTabState('results', (state) => state.zone);
  const isPickingZone = useTabState('results', (state) => state.isPickingZone);
  return (
    <div className="answer-bar toolbar wrap between">
      <ViewSelect value={view} of={resultsViews} onChange={actions.setView} />
      <RecordCount result={result} />
      <FollowButton request={result.request} />
      <ActionNotice />
      {result.records > 0 && (
        <span className="answer-tools row min-0">
          {(view === 'table' || view === 'both') && (
            <>
              <FindBox result={result} control={control} />
              <ColumnsButton result={result} />
              <CopyMenu result={result} control={control} />
            </>
          )}
          <RecipeMenu request={result.request} />
          <ZoneBox
            value={zone}
            wells={wells}
            raw
            onChange={actions.show}
            isPicking={isPickingZone}
            onPick={actions.pickZone}
          />
        </span>
      )}
      <Maximize />
    </div>
  );
}

function RecipeMenu({ request }: Pick<Result, 'request'>) {
  const { recipes } = useTab('links');
  if (request.kind !== 'find') return null;
  return (
    <MenuButton
      label={recipeWords.start}
      icon={SquareFunction}
      items={recipes.ofQuery.map(({ text, start }) => ({ id: text, text, run: () => start() }))}
    />
  );
}

function Maximize() {
  const { maximize } = useTab('results').actions;
  const isMaximized = useTabState('results', (state) => state.isMaximized);
  const keys = useShortcut('maximize');
  const label = isMaximized ? words.results.restore : words.results.maximize;
  return (
    <Button
      variant="quiet"
      icon={isMaximized ? Minimize2 : Maximize2}
      aria-label={label}
      keys={keys}
      onPress={() => maximize(!isMaximized)}
    />
  );
}

function RecordCount({ result }: { result: Result }) {
  const { actions } = useTab('results');
  const view = useTabState('results', (state) => state.view);
  const { knownRows, isComplete, bytes } = useShape(result.held);
  const limited = isLimited(result);
  const { statesOf } = useTab('links');
  const states = useMemo(() => statesOf(result.request), [statesOf, result]);
  return (
    <span className="answer-reach row wrap min-0 one-line">
      <Status className="numbers">
        {isComplete ? words.results.records(knownRows) : words.results.recordsSoFar(knownRows)}
        {limited && <span className="quiet answer-limit"> · {words.results.limited}</span>}
        {states.length > 0 && <span> · {words.results.onlyStates(states)}</span>}
        {result.computedFrom !== undefined && (
          <span> · {words.results.computedFrom(result.computedFrom)}</span>
        )}
        <SummaryReach result={result} />
        <span className="quiet answer-cost">
          {' · '}
          {formatDuration(result.ms)} · {formatBytes(bytes)}
        </span>
      </Status>
      {/* Plots show this themselves. */}
      {limited && view === 'table' && result.request.kind === 'find' && (
        <span title={words.results.showAll}>
          <Button variant="quiet" icon={ListEnd} onPress={() => void actions.showAll()}>
            <span className="bar-text visually-hidden">{words.results.showAll}</span>
          </Button>
        </span>
      )}
    </span>
  );
}

/** Over how many records the groups of a summary were computed. */
function SummaryReach({ result: { held, recordsColumn } }: { result: Result }) {
  const counts = useLoaded(
    useMemo(() => (recordsColumn ? () => held.summary(recordsColumn) : null), [recordsColumn, held]),
  );
  const numbers = counts.status === 'loaded' ? counts.value.numbers : null;
  if (!numbers) return null;
  const over = Math.round(numbers.mean * numbers.count);
  return <span> · {words.results.computedFrom(words.summary.over(over))}</span>;
}

function FollowButton({ request }: Pick<Result, 'request'>) {
  const { onFollow } = useTab('links');
  if (request.kind !== 'find' || !onFollow) return null;
  return (
    <span title={words.live.follow}>
      <Button variant="quiet" icon={Radio} onPress={() => onFollow(request.request)}>
        <span className="bar-text visually-hidden">{words.live.follow}</span>
      </Button>
    </span>
  );
}

const noticeMs = 4000;

function ActionNotice() {
  const { actions } = useTab('results');
  const notice = useTabState('results', (state) => state.notice);
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = setTimeout(() => actions.showNotice(null), noticeMs);
    return () => clearTimeout(timer);
  }, [notice, actions]);
  return <Status className="answer-said ellipsis grow end quiet">{notice}</Status>;
}

const unitChoices = ['stored', 'shown'] as const;

/** The choice of units in copies, where shown values differ from stored ones. */
function useUnitsPart(): MenuPart[] {
  const { set } = useApp().settings.actions;
  const units = useAppState('settings', (state) => state.values.copies);
  const w = words.results.copying;
  if (Object.keys(useTab('shown').changes).length === 0) return [];
  const items = unitChoices.map((id) => {
    const icon = id === units ? CircleCheck : Circle;
    return { id: `units ${id}`, text: w.unitChoices[id], icon, run: () => set({ copies: id }) };
  });
  return [{ id: 'units', heading: w.units, items }];
}

/** An export includes all matching records. */
function CopyMenu({ result, control }: ResultProps) {
  const copy = useCopy(result);
  const { onExport, fieldPaths } = useTab('links');
  const view = useTabState('results', (state) => state.grid);
  const columns = useGridHeads(result);
  const { request, held } = result;
  const units = useUnitsPart();
  const w = words.results.copying;
  const copies = (of: string, cells: CellSelection | null): MenuChoice[] =>
    copyFormats.map((format) => {
      const run = () => void copy.rows(cells, format);
      return { id: `${of} ${format}`, text: w.formats[format], icon: Copy, run };
    });
  const files = (of: string, cells: CellSelection | null): MenuChoice[] =>
    savedFormats.map((format) => {
      const run = () => void copy.save(cells, format);
      return { id: `${of} file ${format}`, text: w.saveFormats[format], icon: FileDown, run };
    });
  const selectedCells = () => control.current?.selected() ?? null;
  useViewCall(useTab('results').calls.copy, (format) => void copy.rows(selectedCells(), format));
  const exportShown = () => {
    if (request.kind !== 'find') return;
    const allFields = request.request.fields.length > 0 ? [] : fieldPaths;
    onExport(request.request, view.hidden.length > 0 ? exportedFields(columns, view, allFields) : null);
  };
  const parts = (): MenuParts => {
    const { held: loaded, rows, isComplete, gaps } = held.shape();
    const all = isCompleteResult(result, loaded);
    const selected = selectedCells();
    const total = isComplete && !isLimited(result) ? rows : null;
    const canExport = !all && request.kind === 'find';
    // A file outlives this menu, which states the gaps: an export has none.
    const loadedFiles = gaps > 0 && canExport ? [] : files('loaded', null);
    return [
      selected !== null && {
        id: 'selected',
        heading: w.selected(countRows(selected.rows), selected.columns?.length ?? null),
        items: [...copies('selected', selected), ...files('selected', selected)],
      },
      {
        id: 'loaded',
        heading: all ? w.all(loaded) : w.loaded(loaded, total, gaps),
        items: [...copies('loaded', null), ...loadedFiles],
      },
      canExport && {
        id: 'matching',
        heading: w.matching(request.request.skip === 0 ? total : null),
        items: [{ id: 'export', text: w.export, icon: Download, run: exportShown }],
      },
      ...units,
    ];
  };
  return <PartsMenuButton label={w.label} icon={Copy} parts={parts} />;
}
