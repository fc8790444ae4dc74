import { Plus, Undo2 } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { expandTabs } from '../../../../shared/upload/formats.ts';
import type { FilePreview, RawLine } from '../../../../shared/upload/preview.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { Button } from '../../../ui/button.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { fileName } from '../upload-facts.ts';

const w = uploadWords.edges;

/** Characters of the width that is measured; a single one is a fraction of pixels. */
const ruler = 100;

interface EdgeDraft {
  readonly edges: Edges;
  /** The preview that the draft edits: another one shows the result. */
  readonly of: FilePreview;
}

/** The first lines of text in columns, with edges that can be moved, added, and removed. */
export function ColumnEdges({ preview }: { preview: FilePreview }) {
  const { actions } = useTab('upload');
  const name = useTabState('upload', fileName) ?? '';
  const chosen = useTabState('upload', (state) => state.reading.columnEdges);
  const [draft, setDraft] = useState<EdgeDraft | null>(null);
  const [history, setHistory] = useState<readonly (Edges | undefined)[]>([]);
  const focused = useRef<number | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const edges = draft?.of === preview ? draft.edges : (preview.columnEdges ?? []);

  useLayoutEffect(() => {
    const at = focused.current;
    focused.current = null;
    if (at !== null) area.current?.querySelectorAll<HTMLElement>('[role=slider]')[at]?.focus();
  });

  const show = (now: Edges) => setDraft({ edges: now, of: preview });
  /** Reads the file with these edges. @param focus the edge to focus */
  const apply = (now: Edges, focus: number | null = null) => {
    focused.current = focus;
    show(now);
    if (String(now) === String(chosen ?? preview.columnEdges ?? [])) return;
    setHistory([...history, chosen]);
    void actions.setColumnEdges(now);
  };
  const undo = () => {
    if (history.length === 0) return;
    const before = history.at(-1);
    setHistory(history.slice(0, -1));
    if (before) show(before);
    void actions.setColumnEdges(before);
  };
  /** The position between two characters that is closest to the pointer. */
  const positionOf = ({ clientX }: { clientX: number }): number => {
    const box = area.current?.querySelector('.edge-ruler')?.getBoundingClientRect();
    return box && box.width > 0 ? Math.round(((clientX - box.left) / box.width) * ruler) : 0;
  };
  const addAt = (at: number) => {
    const now = addEdge(edges, at);
    apply(now, now.indexOf(at));
  };

  return (
    <div className="edge-editor">
      <div className="edge-bar row wrap">
        <span className="edge-note quiet">{w.note}</span>
        <Button
          variant="quiet"
          icon={Plus}
          onPress={() => apply(addEdgeAfter(edges, edges.length - 1), edges.length)}
        >
          {w.add}
        </Button>
        <Button variant="quiet" icon={Undo2} isDisabled={history.length === 0} onPress={undo}>
          {w.undo}
        </Button>
      </div>
      <section className="raw-lines small mono" aria-label={uploadWords.raw.label(name)}>
        <div
          className="edge-area"
          ref={area}
          onPointerDown={(event) => {
            if (event.button === 0 && event.target instanceof Element && event.target.closest('.edge-text'))
              addAt(positionOf(event));
          }}
        >
          <span className="edge-ruler" aria-hidden>
            {'0'.repeat(ruler)}
          </span>
          <Lines lines={preview.lines} />
          {edges.map((edge, index) => (
            <EdgeHandle
              key={index}
              edge={edge}
              index={index}
              bounds={edgeBounds(edges, index)}
              positionOf={positionOf}
              onMove={(to) => show(moveEdge(edges, index, to))}
              onDone={() => draft?.of === preview && apply(edges)}
              onAdd={() => apply(addEdgeAfter(edges, index), index + 1)}
              onUndo={undo}
              onRemove={() => apply(removeEdge(edges, index), Math.min(index, edges.length - 2))}
            />
          ))}
        </div>
      </section>
    </div>
  );
}

function Lines({ lines }: { lines: readonly RawLine[] }) {
  const { kinds, line: lineTitle, taken, text: textTitle } = uploadWords.raw;
  return (
    <table>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{lineTitle}</th>
          <th scope="col">{textTitle}</th>
          <th scope="col">{taken}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, text, kind }) => (
          <tr key={line} data-kind={kind}>
            <th scope="row" className="numbers">
              {line}
            </th>
            <td className="raw-text edge-text" dir="ltr">
              {expandTabs(text)}
            </td>
            <td className="visually-hidden">{kinds[kind]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface EdgeHandleProps {
  readonly edge: number;
  readonly index: number;
  readonly bounds: EdgeBounds;
  readonly positionOf: (event: PointerEvent) => number;
  readonly onMove: (to: number) => void;
  /** The edge is where it should be. */
  readonly onDone: () => void;
  readonly onAdd: () => void;
  readonly onRemove: () => void;
  readonly onUndo: () => void;
}

/** An edge between two columns. Arrow keys move it, Delete removes it, and Enter adds one after it. */
function EdgeHandle({ edge, index, bounds, positionOf, ...on }: EdgeHandleProps) {
  const { onMove, onDone, onAdd, onRemove, onUndo } = on;
  const onKeyDown = (event: KeyboardEvent) => {
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => onMove(edge - 1),
      ArrowRight: () => onMove(edge + 1),
      Delete: onRemove,
      Backspace: onRemove,
      Insert: onAdd,
      Enter: onAdd,
    };
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
    const action = isUndo ? onUndo : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <div
      // oxlint-disable-next-line prefer-tag-over-role -- a range input doesn't span lines of text
      role="slider"
      tabIndex={0}
      className="column-edge"
      aria-label={w.edge(index + 1)}
      aria-valuenow={edge}
      aria-valuemin={bounds.min}
      aria-valuemax={bounds.max}
      aria-valuetext={w.at(edge)}
      style={{ insetInlineStart: `calc(var(--edge-start) + ${edge}ch)` }}
      onKeyDown={onKeyDown}
      onKeyUp={({ key }) => key.startsWith('Arrow') && onDone()}
      onDoubleClick={onRemove}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(positionOf(event));
      }}
      onPointerUp={onDone}
    />
  );
}

/** Column edges: positions in a line, in characters, ascending. */
type Edges = readonly number[];

const maxEdge = 10_000;
/** The width of a column that an edge after the last one gets. */
const newWidth = 8;

interface EdgeBounds {
  readonly min: number;
  readonly max: number;
}

/** The lowest and highest position of an edge, between its neighbors. */
export const edgeBounds = (edges: Edges, index: number): EdgeBounds => ({
  min: (edges[index - 1] ?? 0) + 1,
  max: (edges[index + 1] ?? maxEdge + 1) - 1,
});

/** The edges with one moved, which stays between its neighbors. */
export function moveEdge(edges: Edges, index: number, to: number): Edges {
  const { min, max } = edgeBounds(edges, index);
  return edges.with(index, Math.min(max, Math.max(min, to)));
}

/** The edges without one of them; the last one stays, because a table has two columns. */
export const removeEdge = (edges: Edges, index: number): Edges =>
  edges.length > 1 ? edges.toSpliced(index, 1) : edges;

/** The edges with another one; unchanged if there is one at that position. */
export const addEdge = (edges: Edges, at: number): Edges =>
  at < 1 || at > maxEdge || edges.includes(at) ? edges : [...edges, at].toSorted((a, b) => a - b);

/** The edges with one in the middle of the column after an edge; -1: after the start of the line. */
export function addEdgeAfter(edges: Edges, index: number): Edges {
  const start = edges[index] ?? 0;
  const end = edges[index + 1] ?? start + newWidth * 2;
  return addEdge(edges, Math.floor((start + end) / 2));
}
