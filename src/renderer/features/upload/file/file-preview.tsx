import { Suspense, useCallback, useMemo, useState } from 'react';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { words } from '../../../words/words.ts';
import { ColumnEdges } from './column-edges.tsx';
import { RawLines } from './raw-lines.tsx';
import { nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { Undo2 } from 'lucide-react';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { DataGrid, type GridControl } from '../../../ui/grid/index.ts';
import { markedCell, previewColumns } from './preview-columns.ts';
import { fileName } from '../upload-facts.ts';
import { placeKind } from '../upload-state.ts';

const w = uploadWords.raw;
type PreviewMode = 'table' | 'lines';

export interface FilePreviewProps {
  /** Whether the file format is being edited: raw lines are shown beside the table then. */
  readonly isEditingFormat: boolean;
}

/** The start of the file as a table, with its raw lines beside it; narrow windows show one of them. */
export function FilePreviewPanel({ isEditingFormat }: FilePreviewProps) {
  const [mode, setMode] = useState<PreviewMode>('table');
  const isLineViewed = useTabState('upload', (state) => state.viewedLine !== null);
  const hasLines = useTabState(
    'upload',
    ({ preview }) => preview.status === 'loaded' && preview.value.lines.length > 0,
  );
  if (!isEditingFormat || isLineViewed || !hasLines) return <PreviewGrid />;
  return (
    <div className="file-preview" data-shown={mode}>
      <div className="file-preview-choice">
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
  const preview = useTabState('upload', (state) => state.preview);
  if (preview.status !== 'loaded') return null;
  const { format, columns } = preview.value;
  // The delimiter of a file with one column may not exist.
  const canHaveEdges = format === 'text' || (format === 'csv' && columns.length === 1);
  return canHaveEdges ? <ColumnEdges preview={preview.value} /> : <RawLines />;
}

const ignore = () => undefined;

/** Rows of the file with the columns' targets as headers: the first rows, or those around a line. */
export function PreviewGrid() {
  const { actions } = useTab('upload');
  const { preview, viewedLine: at } = useTabState('upload', (state) => state);
  const places = useTabState('upload', placeKind);
  if (preview.status !== 'loaded') return null;
  if (at === null) return <PreviewTable preview={preview.value} />;
  const { line, rows } = at;
  if (rows.status === 'loading')
    return <Loading what={uploadWords.preview.going(line, places)} onCancel={actions.leaveLine} />;
  if (rows.status === 'failed')
    return (
      <div className="upload-refused stack gap-3">
        <Failed error={rows.error} isInForm />
        <LeaveLineButton />
      </div>
    );
  if (rows.status !== 'loaded') return null;
  return (
    <div className="upload-looked-at stack gap-0">
      <p className="row">
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
  const { inspection, viewedLine: at } = useTabState('upload', (state) => state);
  const match = useTabState('upload', (state) => state.match.value);
  const name = useTabState('upload', fileName) ?? '';
  const nulls = useTabState('upload', (state) => state.choices.nulls);
  const keepAsText = useTabState('upload', (state) => state.choices.keepAsText);
  const marked = useMemo(() => (at ? markedCell(preview, at) : null), [preview, at]);
  const columns = useMemo(() => {
    const inspected = inspection.status === 'loaded' ? inspection.value : null;
    return previewColumns(preview, inspected, match, marked, nullsOf({ nulls, keepAsText }));
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
    <div className="upload-preview">
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          label={uploadWords.preview.grid(name)}
          columns={columns}
          rows={preview.rows.length}
          onSelect={ignore}
          ref={goToMarkedCell}
        />
      </Suspense>
    </div>
  );
}
