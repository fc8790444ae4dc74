import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../ui/button.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { pathId } from '../records/columns.ts';
import { shownColumns } from './grid-view.ts';
import { mostLoaded } from './load-all.ts';
import type { Found } from '../records/find.ts';
import type { Records } from '../records/records.ts';
import { useTab, useTabState } from '../../state/contexts.ts';
import { isAll, isLimited, type Answered } from './results.ts';
import { useShape } from './use-shape.ts';
import { watchGrowth } from './watch-growth.ts';

export interface FindBoxProps {
  readonly answered: Answered;
  readonly control: RefObject<GridControl | null>;
}

const settled = 200;

/** Where a text stands in what is loaded, looked for when the typing rests, and again whenever more is loaded. */
function useFound({ held }: Answered, text: string): Found | null {
  const { loadAll } = useTab('results');
  const grid = useTabState('results', (state) => state.grid);
  const zone = useTab('zone');
  const [found, setFound] = useState<{ readonly in: Records; readonly found: Found | null } | null>(null);
  useEffect(() => {
    if (text.trim() === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      const paths = shownColumns(held.shape().columns, grid).map(({ path }) => path);
      const next = await held.find({ text, paths, zone }, signal).catch(() => null);
      if (!signal.aborted) setFound({ in: held, found: next });
    };
    let stop: (() => void) | null = null;
    const timer = setTimeout(() => {
      stop = watchGrowth(held, loadAll, look);
    }, settled);
    return () => {
      clearTimeout(timer);
      stop?.();
      controller.abort();
    };
  }, [text, held, loadAll, grid, zone]);
  return text.trim() === '' || found?.in !== held ? null : found.found;
}

/** Finds a text among the records that are loaded; Enter goes to the next place, Shift+Enter to the one before. */
export function FindBox({ answered, control }: FindBoxProps) {
  const view = useTabState('results', (state) => state.grid);
  const shape = useShape(answered.held);
  const [text, setText] = useState('');
  // A place counts in the answer that it was found in.
  const [place, setPlace] = useState({ in: answered.held, at: -1 });
  const at = place.in === answered.held ? place.at : -1;
  const setAt = (next: number) => setPlace({ in: answered.held, at: next });
  const found = useFound(answered, text);
  const columns = shownColumns(shape.columns, view);
  const say = words.results.find;

  const go = (step: 1 | -1) => {
    const known = found?.rows.length ?? 0;
    if (!found || known === 0) return;
    const next = at < 0 && step < 0 ? known - 1 : (at + step + known) % known;
    const column = columns[found.columns[next] ?? 0];
    if (column) control.current?.show(found.rows[next] ?? 0, pathId(column.path));
    setAt(next);
  };
  return (
    <search className="results-find">
      <SearchBox
        label={say.label}
        placeholder={say.placeholder}
        value={text}
        onChange={(next) => {
          setText(next);
          setAt(-1);
        }}
        onEnter={(back) => go(back ? -1 : 1)}
      />
      {found && (
        <>
          <Status className="find-count numbers quiet">
            {at < 0
              ? say.hits(found.hits, isAll(answered, found.searched) ? null : found.searched)
              : say.place(at + 1, found.hits)}
          </Status>
          {found.hits > 0 && (
            <>
              <Button variant="quiet" icon={ChevronUp} aria-label={say.before} onPress={() => go(-1)} />
              <Button variant="quiet" icon={ChevronDown} aria-label={say.next} onPress={() => go(1)} />
            </>
          )}
          <LoadMore answered={answered} />
        </>
      )}
    </search>
  );
}

/** Loads the rows that were not searched, which are searched then; nothing where all are loaded. */
function LoadMore({ answered }: { answered: Answered }) {
  const { actions, loadAll } = useTab('results');
  const loading = useStore(loadAll.store);
  const { rows, held, complete } = useShape(answered.held);
  const say = words.results.find;
  if (loading.status === 'running')
    return (
      <>
        <span className="numbers quiet">{say.loading(loading.done, complete ? rows : null)}</span>
        <Button variant="quiet" onPress={loadAll.actions.stop}>
          {words.plot.reach.stop}
        </Button>
      </>
    );
  const isMore = isLimited(answered) || !complete || held < Math.min(rows, mostLoaded);
  if (answered.asked.kind !== 'find' || !isMore) return null;
  return (
    <Button variant="quiet" onPress={() => void actions.loadAll()}>
      {loading.status === 'failed' ? words.tryAgain : say.loadAll}
    </Button>
  );
}
