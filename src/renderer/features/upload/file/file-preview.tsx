import { Suspense, useCallback, useMemo, useState } from 'react';
import { Choice } from '../../../ui/choice.tsx';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import { RawLines } from './raw-lines.tsx';
import { nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { Undo2 } from 'lucide-react';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { DataGrid, type GridControl } from '../../../ui/grid/index.ts';
import { nullTokens } from '../columns/mapping-choices.ts';
import { markedCell, previewColumns } from './preview-columns.ts';
import { fileName } from '../upload-state.ts';

const w = words.upload.raw;
type Shown = 'table' | 'lines';

export interface FilePreviewProps {
  /** Whether how the file is read is being decided: the lines that the table comes from belong beside it then. */
  readonly deciding: boolean;
}

/** The start of the file: as a table, and beside it the lines that it comes from; where there is little room, one of them. */
export function FilePreviewPanel({ deciding }: FilePreviewProps) {
  const [shown, setShown] = useState<Shown>('table');
  const lookedAt = useTabState('upload', (state) => state.lookedAt !== null);
  if (!deciding || lookedAt) return <PreviewGrid />;
  return (
    <div className="file-preview" data-shown={shown}>
      <div className="file-preview-choice">
        <Choice
          layout="line"
          label={w.choice}
          value={shown}
          options={[
            { id: 'table', text: w.table },
            { id: 'lines', text: w.lines },
          ]}
          onChange={setShown}
        />
      </div>
      <div className="file-preview-lines">
        <RawLines />
      </div>
      <div className="file-preview-table">
        <PreviewGrid />
      </div>
    </div>
  );
}

const ignore = () => undefined;

/** Rows of the file as they stand in it, under the places that their columns go to: the first, or those around a line. */
export function PreviewGrid() {
  const { actions } = useTab('upload');
  const { preview, lookedAt: at } = useTabState('upload', (state) => state);
  if (preview.status !== 'loaded') return null;
  if (at === null) return <Rows shown={preview.value} />;
  const { line, rows } = at;
  if (rows.status === 'loading')
    return <Loading what={words.upload.preview.going(line)} onCancel={actions.leaveLine} />;
  if (rows.status === 'failed')
    return (
      <div className="upload-refused stack gap-3">
        <Failed error={rows.error} />
        <LeaveLine />
      </div>
    );
  if (rows.status !== 'loaded') return null;
  return (
    <div className="upload-looked-at stack gap-0">
      <p className="row">
        {words.upload.preview.at(line)} <LeaveLine />
      </p>
      <Rows shown={rows.value} />
    </div>
  );
}

function LeaveLine() {
  const { actions } = useTab('upload');
  return (
    <Button variant="quiet" icon={Undo2} onPress={actions.leaveLine}>
      {words.upload.preview.leave}
    </Button>
  );
}

function Rows({ shown }: { shown: FilePreview }) {
  const { inspection, lookedAt: at } = useTabState('upload', (state) => state);
  const match = useTabState('upload', (state) => state.match.value);
  const name = useTabState('upload', fileName) ?? '';
  const nulls = useTabState('upload', (state) => state.choices.nulls);
  const keepAsText = useTabState('upload', (state) => state.choices.keepAsText);
  const marked = useMemo(() => (at ? markedCell(shown, at) : null), [shown, at]);
  const columns = useMemo(() => {
    const inspected = inspection.status === 'loaded' ? inspection.value : null;
    return previewColumns(
      shown,
      inspected,
      match,
      words.upload.preview,
      marked,
      nullsOf({ nulls: nullTokens(nulls), keepAsText }),
    );
  }, [shown, inspection, match, marked, nulls, keepAsText]);
  // The grid hands itself out anew when it can be moved.
  const goThere = useCallback(
    (grid: GridControl | null) => {
      if (marked) grid?.show(marked.row, marked.column);
    },
    [marked],
  );
  if (shown.rows.length === 0) return <Empty>{words.upload.preview.none}</Empty>;
  return (
    <div className="upload-preview">
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          label={words.upload.preview.grid(name)}
          columns={columns}
          rows={shown.rows.length}
          onSelect={ignore}
          ref={goThere}
        />
      </Suspense>
    </div>
  );
}
