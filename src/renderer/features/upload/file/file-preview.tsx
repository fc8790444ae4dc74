import {
  Suspense,
  useCallback,
  useMemo,
  useState,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  Fragment,
} from 'react';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { useUploadParts } from '../upload-parts.tsx';
import { words } from '../../../words/words.ts';
import { nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { Undo2, Plus } from 'lucide-react';
import type { FilePreview, RawLine } from '../../../../shared/upload/preview.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { DataGrid, type GridControl, numberedRows } from '../../../ui/grid/index.ts';
import { markedCell, previewColumns } from './preview-columns.ts';
import { fileName, placeKind } from '../upload-state.ts';
import { valueOr } from '../../../state/loadable.ts';
import { expandTabs } from '../../../../shared/upload/formats.ts';
import { append } from '../../../../shared/lists.ts';

const w = uploadWords.raw;

function RawLines() {
  const preview = useTabState('upload', (state) => state.preview);
  const name = useTabState('upload', fileName) ?? '';
  if (preview.status !== 'loaded') return null;
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="raw-lines full scroll focus-inside" tabIndex={0} aria-label={w.label(name)}>
      <LineTable lines={preview.value.lines} kindClass="raw-kind quiet" textClass="raw-text">
        {(line) => <LineText line={line} />}
      </LineTable>
    </section>
  );
}

interface LineTableProps {
  readonly lines: readonly RawLine[];
  readonly kindClass: string;
  readonly textClass: string;
  readonly children: (line: RawLine) => ReactNode;
}

function LineTable({ lines, kindClass, textClass, children }: LineTableProps) {
  return (
    <table className="wide small mono">
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{w.line}</th>
          <th scope="col">{w.taken}</th>
          <th scope="col">{w.text}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.line} data-kind={line.kind}>
            <th scope="row" className="numbers end quiet">
              {line.line}
            </th>
            <td className={kindClass}>{w.kinds[line.kind]}</td>
            <td className={textClass} dir="ltr">
              {children(line)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LineText({ line: { text, cut, ending } }: { line: RawLine }) {
  return (
    <>
      {piecesOf(text).map((piece, at) =>
        piece.kind === 'text' ? (
          <Fragment key={at}>{piece.text}</Fragment>
        ) : (
          <span key={at} className="raw-sign accent">
            <span aria-hidden>{piece.symbol}</span>
            <span className="visually-hidden">{w.signs[piece.code] ?? piece.code}</span>
          </span>
        ),
      )}
      {cut ? (
        <span className="raw-cut quiet">{w.cut}</span>
      ) : (
        ending !== 'none' && (
          <span className="raw-sign raw-end quiet small" aria-hidden>
            {w.endings[ending]}
          </span>
        )
      )}
    </>
  );
}

/** A part of a raw line: visible text, or an invisible character. */
type RawPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `symbol` replaces the character, `code` names it. */
  | { readonly kind: 'sign'; readonly symbol: string; readonly code: string };

const symbols: Readonly<Record<string, string>> = {
  '\t': '→',
  ' ': '·',
  '\u00a0': '⍽',
  '\uFEFF': 'BOM',
  '\u200b': 'ZWSP',
  '\u00ad': 'SHY',
};

// Single spaces within a text are visible as gaps; those at its ends, and several in a row, are not.
const hiddenCharacters = /^ +| +$| {2,}|(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cn}]/gu;

/** The code point of a character, for example U+00A0. */
const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const symbolOf = (character: string): RawPiece => {
  const code = codeOf(character);
  return { kind: 'sign', symbol: symbols[character] ?? code, code };
};

/** A line with symbols for invisible characters: tabs, spaces at its ends or in a row, control characters. */
export function piecesOf(line: string): RawPiece[] {
  const pieces: RawPiece[] = [];
  let from = 0;
  for (const { 0: hidden, index } of line.matchAll(hiddenCharacters)) {
    if (index > from) pieces.push({ kind: 'text', text: line.slice(from, index) });
    append(pieces, Array.from(hidden, symbolOf));
    from = index + hidden.length;
  }
  if (from < line.length) pieces.push({ kind: 'text', text: line.slice(from) });
  return pieces;
}

const columnEdgesW = uploadWords.edges;

/** Characters of the width that is measured; a single one is a fraction of pixels. */
const ruler = 100;

interface EdgeDraft {
  readonly edges: Edges;
  /** The preview that the draft edits: another one shows the result. */
  readonly of: FilePreview;
}

function useEdges(preview: FilePreview, area: RefObject<HTMLDivElement | null>) {
  const { actions } = useTab('upload');
  const chosen = useTabState('upload', (state) => state.reading.columnEdges);
  const [draft, setDraft] = useState<EdgeDraft | null>(null);
  const [history, setHistory] = useState<readonly (Edges | undefined)[]>([]);
  const focused = useRef<number | null>(null);
  const isDraft = draft?.of === preview;
  const edges = isDraft ? draft.edges : (preview.columnEdges ?? []);

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
  return { edges, isDraft, canUndo: history.length > 0, show, apply, undo };
}

function ColumnEdges({ preview }: { preview: FilePreview }) {
  const name = useTabState('upload', fileName) ?? '';
  const area = useRef<HTMLDivElement>(null);
  const model = useEdges(preview, area);
  const { edges, canUndo, apply, undo } = model;
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
    <div className="stack gap-0 full">
      <div className="toolbar wrap">
        <span className="grow-text quiet">{columnEdgesW.note}</span>
        <Button
          variant="quiet"
          icon={Plus}
          onPress={() => apply(addEdgeAfter(edges, edges.length - 1), edges.length)}
        >
          {columnEdgesW.add}
        </Button>
        <Button variant="quiet" icon={Undo2} isDisabled={!canUndo} onPress={undo}>
          {words.undo}
        </Button>
      </div>
      <section className="raw-lines fill full scroll focus-inside small mono" aria-label={w.label(name)}>
        <div
          className="edge-area relative"
          ref={area}
          onPointerDown={(event) => {
            if (event.button === 0 && event.target instanceof Element && event.target.closest('.edge-text'))
              addAt(positionOf(event));
          }}
        >
          <span className="edge-ruler" aria-hidden>
            {'0'.repeat(ruler)}
          </span>
          <LineTable lines={preview.lines} kindClass="visually-hidden" textClass="raw-text edge-text">
            {({ text }) => expandTabs(text)}
          </LineTable>
          {edges.map((edge, index) => (
            <EdgeHandle key={index} edge={edge} index={index} model={model} positionOf={positionOf} />
          ))}
        </div>
      </section>
    </div>
  );
}

interface EdgeHandleProps {
  readonly edge: number;
  readonly index: number;
  readonly model: ReturnType<typeof useEdges>;
  readonly positionOf: (event: PointerEvent) => number;
}

/** An edge between two columns. Arrow keys move it, Delete removes it, and Enter adds one after it. */
function EdgeHandle({ edge, index, model, positionOf }: EdgeHandleProps) {
  const { edges, isDraft, show, apply, undo } = model;
  const bounds = edgeBounds(edges, index);
  const onMove = (to: number) => show(moveEdge(edges, index, to));
  const onDone = () => isDraft && apply(edges);
  const onAdd = () => apply(addEdgeAfter(edges, index), index + 1);
  const onRemove = () => apply(removeEdge(edges, index), Math.min(index, edges.length - 2));
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
    const action = isUndo ? undo : actions[event.key];
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
      aria-label={columnEdgesW.edge(index + 1)}
      aria-valuenow={edge}
      aria-valuemin={bounds.min}
      aria-valuemax={bounds.max}
      aria-valuetext={columnEdgesW.at(edge)}
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

type PreviewMode = 'table' | 'lines';

export interface FilePreviewProps {
  /** Raw lines are shown beside the table then. */
  readonly isEditingFormat: boolean;
}

/** Narrow windows show either the table or the lines. */
export function FilePreviewPanel({ isEditingFormat }: FilePreviewProps) {
  const [mode, setMode] = useState<PreviewMode>('table');
  const { preview, viewedLine } = useUploadParts('preview', 'viewedLine');
  const hasLines = preview.status === 'loaded' && preview.value.lines.length > 0;
  if (!isEditingFormat || viewedLine || !hasLines) return <PreviewGrid />;
  return (
    <div className="file-preview full" data-shown={mode}>
      <div className="file-preview-choice pad-y-1 pad-x-3">
        <OptionGroup
          layout="line"
          label={w.choice}
          value={mode}
          options={[
            { id: 'table', text: w.table },
            { id: 'lines', text: w.lines },
          ]}
          onChange={setMode}
        />
      </div>
      <div className="file-preview-lines">
        <FileLines />
      </div>
      <div className="file-preview-table">
        <PreviewGrid />
      </div>
    </div>
  );
}

/** The first lines of the file; those of text in columns have the edges of the columns. */
function FileLines() {
  const { preview } = useUploadParts('preview');
  if (preview.status !== 'loaded') return null;
  const { format, columns } = preview.value;
  // The delimiter of a file with one column may not exist.
  const canHaveEdges = format === 'text' || (format === 'csv' && columns.length === 1);
  return canHaveEdges ? <ColumnEdges preview={preview.value} /> : <RawLines />;
}

export function PreviewGrid() {
  const { actions } = useTab('upload');
  const { preview, viewedLine: at } = useUploadParts('preview', 'viewedLine');
  const places = useTabState('upload', placeKind);
  if (preview.status !== 'loaded') return null;
  if (at === null) return <PreviewTable preview={preview.value} />;
  const { line, rows } = at;
  if (rows.status === 'loading')
    return <Loading what={uploadWords.preview.going(line, places)} onCancel={actions.leaveLine} />;
  if (rows.status === 'failed')
    return (
      <div className="upload-refused pad-3 stack gap-3">
        <Failed error={rows.error} isInForm />
        <LeaveLineButton />
      </div>
    );
  if (rows.status !== 'loaded') return null;
  return (
    <div className="full stack gap-0">
      <p className="row pad-y-1 pad-x-3">
        {uploadWords.preview.at(line, places)} <LeaveLineButton />
      </p>
      <PreviewTable preview={rows.value} />
    </div>
  );
}

function LeaveLineButton() {
  const { actions } = useTab('upload');
  return (
    <Button variant="quiet" icon={Undo2} onPress={actions.leaveLine}>
      {uploadWords.preview.leave}
    </Button>
  );
}

function PreviewTable({ preview }: { preview: FilePreview }) {
  const state = useUploadParts('inspection', 'viewedLine', 'match', 'file', 'nextFile', 'choices');
  const { inspection, viewedLine: at, match, choices } = state;
  const { nulls, keepAsText } = choices;
  const marked = useMemo(() => (at ? markedCell(preview, at) : null), [preview, at]);
  const columns = useMemo(() => {
    const inspected = valueOr(inspection, null);
    return previewColumns(preview, inspected, match.value, marked, nullsOf({ nulls, keepAsText }));
  }, [preview, inspection, match, marked, nulls, keepAsText]);
  // The grid passes a new handle when it can scroll.
  const goToMarkedCell = useCallback(
    (grid: GridControl | null) => {
      if (marked) grid?.show(marked.row, marked.column);
    },
    [marked],
  );
  if (preview.rows.length === 0) return <Empty>{uploadWords.preview.none}</Empty>;
  return (
    <div className="fill full">
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          label={uploadWords.preview.grid(fileName(state) ?? '')}
          columns={columns}
          source={numberedRows}
          rows={preview.rows.length}
          ref={goToMarkedCell}
        />
      </Suspense>
    </div>
  );
}
