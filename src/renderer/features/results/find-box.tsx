import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { plotWords } from '../../words/plot.ts';
import { words } from '../../words/words.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { shownColumns } from './grid-view.ts';
import { maxLoadedRows } from './load-all.ts';
import type { FindResult } from '../records/find.ts';
import type { Records } from '../records/records.ts';
import { useTab, useTabState } from '../../contexts.ts';
import { idle, valueOr, type Loadable } from '../../state/loadable.ts';
import { isCompleteResult, isLimited } from './limits.ts';
import type { Result } from './results.ts';
import { useColumns, useShape } from './use-shape.ts';
import { useViewRequest } from './use-view-request.ts';
import { watchGrowth } from './watch-growth.ts';

interface FindBoxProps {
  readonly result: Result;
  readonly control: RefObject<GridControl | null>;
}

const debounceMs = 200;

/** The matches in loaded records, found after a delay and again when more are loaded. */
function useMatches(
  { held }: Result,
  text: string,
  onFound: (matches: FindResult) => void,
): Loadable<FindResult> {
  const tell = useEffectEvent(onFound);
  const { loadAll } = useTab('results');
  const grid = useTabState('results', (state) => state.grid);
  const zone = useTab('zone');
  const columns = useColumns(held);
  const wellNames = useTab('wellNames');
  const changes = useTab('changes');
  const [answer, setAnswer] = useState<{
    readonly in: Records;
    readonly matches: Loadable<FindResult>;
  } | null>(null);
  useEffect(() => {
    if (text.trim() === '') return undefined;
    const paths = shownColumns(columns, grid).map(({ path }) => path);
    const read = (signal: AbortSignal) => held.find({ text, paths, zone, wellNames, changes }, signal);
    const show = (matches: Loadable<FindResult>) => {
      setAnswer({ in: held, matches });
      if (matches.status === 'loaded') tell(matches.value);
    };
    let stop: (() => void) | null = null;
    const timer = setTimeout(() => {
      stop = watchGrowth(held, loadAll, read, show);
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [text, held, loadAll, grid, zone, columns, wellNames, changes]);
  return text.trim() === '' || answer?.in !== held ? idle : answer.matches;
}

/** Finds a text in the loaded records. Enter goes to the next match, Shift+Enter to the previous one. */
export function FindBox({ result, control }: FindBoxProps) {
  const view = useTabState('results', (state) => state.grid);
  const heads = useColumns(result.held);
  const [text, setText] = useState('');
  // A match belongs to one result.
  const [place, setPlace] = useState({ in: result.held, at: -1 });
  const at = place.in === result.held ? place.at : -1;
  const setAt = (next: number) => setPlace({ in: result.held, at: next });
  const columns = shownColumns(heads, view);
  const say = words.results.find;

  /** Whether Enter was pressed before the matches were found. */
  const isWaiting = useRef(false);
  const go = (step: 1 | -1, matches: FindResult | null) => {
    const hits = matches?.rows.length ?? 0;
    isWaiting.current = !matches && text.trim() !== '';
    if (!matches || hits === 0) return;
    const next = at < 0 && step < 0 ? hits - 1 : (at + step + hits) % hits;
    const column = columns[matches.columns[next] ?? 0];
    // The focus stays in the box, so that Enter goes on.
    if (column) control.current?.show(matches.rows[next] ?? 0, pathId(column.path), true);
    setAt(next);
  };
  const search = useMatches(result, text, (matches) => {
    if (isWaiting.current) go(1, matches);
  });
  const matches = valueOr(search, null);
  const box = useRef<HTMLElement>(null);
  useViewRequest((request) => {
    if (request === 'find') box.current?.querySelector('input')?.focus();
    return request === 'find';
  });
  const part = matches && !isCompleteResult(result, matches.searched) ? matches.searched : null;
  return (
    <search className="results-find" ref={box}>
      <SearchBox
        className="find-input"
        label={say.label}
        placeholder={say.placeholder}
        value={text}
        onChange={(next) => {
          setText(next);
          setAt(-1);
          isWaiting.current = false;
        }}
        onSubmit={(back) => go(back ? -1 : 1, matches)}
      />
      {search.status === 'failed' && (
        <Status className="find-count quiet">
          {say.failed} {search.error.message}
        </Status>
      )}
      {matches && (
        <>
          <Status className="find-count numbers quiet">
            {at < 0 ? say.hits(matches.hits, part) : say.place(at + 1, matches.hits, part)}
          </Status>
          {matches.hits > 0 && (
            <>
              <Button
                variant="quiet"
                icon={ChevronUp}
                aria-label={say.before}
                onPress={() => go(-1, matches)}
              />
              <Button
                variant="quiet"
                icon={ChevronDown}
                aria-label={say.next}
                onPress={() => go(1, matches)}
              />
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
  const say = words.results.find;
  if (loading.status === 'running')
    return (
      <>
        <span className="numbers quiet">{say.loading(loading.done, isComplete ? rows : null)}</span>
        <Button variant="quiet" onPress={loadAll.actions.stop}>
          {plotWords.reach.stop}
        </Button>
      </>
    );
  const isMore = isLimited(result) || !isComplete || held < Math.min(rows, maxLoadedRows);
  if (result.asked.kind !== 'find' || !isMore) return null;
  return (
    <Button variant="quiet" onPress={() => void actions.loadAll()}>
      {loading.status === 'failed' ? words.tryAgain : say.loadAll}
    </Button>
  );
}
