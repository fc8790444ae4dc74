import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { Button } from '../../ui/button.tsx';
import type { GridControl } from '../../ui/grid/index.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { pathId } from './column-groups.ts';
import { useResultsState } from './context.ts';
import { shownColumns } from './grid-view.ts';
import type { Found } from './records/records.ts';
import type { Answered } from './results.ts';
import { useTimeZone } from './times/context.ts';
import { useShape } from './use-shape.ts';

export interface FindBoxProps {
  readonly answered: Answered;
  readonly control: RefObject<GridControl | null>;
}

const settled = 200;

/** Where a text stands in what is loaded, looked for when the typing rests, and again whenever more is loaded. */
function useFound({ held }: Answered, text: string): Found | null {
  const grid = useResultsState((state) => state.grid);
  const zone = useTimeZone();
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (text.trim() === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const look = async () => {
      const paths = shownColumns(held.shape().columns, grid).map(({ path }) => path);
      const next = await held.find(text, { paths, zone, signal }).catch(() => null);
      if (!signal.aborted) setFound(next);
    };
    const timer = setTimeout(() => void look(), settled);
    const stop = held.onGrow(() => void look());
    return () => {
      clearTimeout(timer);
      stop();
      controller.abort();
    };
  }, [text, held, grid, zone]);
  return text.trim() === '' ? null : found;
}

/** Finds a text among the records that are loaded; Enter goes to the next place, Shift+Enter to the one before. */
export function FindBox({ answered, control }: FindBoxProps) {
  const view = useResultsState((state) => state.grid);
  const shape = useShape(answered.held);
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
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
    <search className="find">
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
            {found.hits === 0 ? say.none : at < 0 ? say.hits(found.hits) : say.place(at + 1, found.hits)}
          </Status>
          <Button variant="quiet" icon={ChevronUp} aria-label={say.before} onPress={() => go(-1)} />
          <Button variant="quiet" icon={ChevronDown} aria-label={say.next} onPress={() => go(1)} />
        </>
      )}
    </search>
  );
}
