import { nullsOf } from '../../../../shared/upload/null-tokens.ts';
import { Undo2 } from 'lucide-react';
import { Suspense, useCallback, useMemo } from 'react';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/faces.tsx';
import { DataGrid, type GridControl } from '../../../ui/grid/index.ts';
import { words } from '../../../words/words.ts';
import { nullTokens } from '../columns/mapping-choices.ts';
import { markedCell, previewColumns } from './preview-columns.ts';
import { fileName } from '../upload-state.ts';
import { useTab, useTabState } from '../../../state/contexts.ts';

const ignore = () => undefined;
const w = words.upload.preview;

/** Rows of the file as they stand in it, under the places that their columns go to: the first, or those around a line. */
export function PreviewGrid() {
  const { actions } = useTab('upload');
  const preview = useTabState('upload', (state) => state.preview);
  const at = useTabState('upload', (state) => state.lookedAt);
  if (preview.face !== 'full') return null;
  if (at === null) return <Rows shown={preview.value} />;
  const { line, rows } = at;
  if (rows.face === 'loading') return <Loading what={w.going(line)} onCancel={actions.leaveLine} />;
  if (rows.face === 'failed')
    return (
      <div className="upload-refused stack gap-3">
        <Failed error={rows.error} />
        <LeaveLine />
      </div>
    );
  if (rows.face !== 'full') return null;
  return (
    <div className="upload-looked-at stack gap-0">
      <p className="row">
        {w.at(line)} <LeaveLine />
      </p>
      <Rows shown={rows.value} />
    </div>
  );
}

function LeaveLine() {
  const { actions } = useTab('upload');
  return (
    <Button variant="quiet" icon={Undo2} onPress={actions.leaveLine}>
      {w.leave}
    </Button>
  );
}

function Rows({ shown }: { shown: FilePreview }) {
  const inspection = useTabState('upload', (state) => state.inspection);
  const match = useTabState('upload', (state) => state.match.value);
  const at = useTabState('upload', (state) => state.lookedAt);
  const name = useTabState('upload', fileName) ?? '';
  const nulls = useTabState('upload', (state) => state.choices.nulls);
  const keepAsText = useTabState('upload', (state) => state.choices.keepAsText);
  const marked = useMemo(() => (at ? markedCell(shown, at) : null), [shown, at]);
  const columns = useMemo(() => {
    const inspected = inspection.face === 'full' ? inspection.value : null;
    return previewColumns(
      shown,
      inspected,
      match,
      w,
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
  if (shown.rows.length === 0) return <Empty>{w.none}</Empty>;
  return (
    <div className="upload-preview">
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          label={w.grid(name)}
          columns={columns}
          rows={shown.rows.length}
          onSelect={ignore}
          ref={goThere}
        />
      </Suspense>
    </div>
  );
}
