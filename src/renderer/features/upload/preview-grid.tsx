import { Suspense, useMemo } from 'react';
import { Empty, Loading } from '../../ui/faces.tsx';
import { DataGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { useUploadState } from './context.ts';
import { previewColumns } from './preview-columns.ts';
import { fileName } from './upload-state.ts';

const ignore = () => undefined;

/** The first rows of the file as they stand in it, under the places that their columns go to. */
export function PreviewGrid() {
  const preview = useUploadState((state) => state.preview);
  const inspection = useUploadState((state) => state.inspection);
  const match = useUploadState((state) => state.match.value);
  const name = useUploadState(fileName) ?? '';
  const columns = useMemo(
    () =>
      preview.face === 'full'
        ? previewColumns(
            preview.value,
            inspection.face === 'full' ? inspection.value : null,
            match,
            words.upload.preview,
          )
        : [],
    [preview, inspection, match],
  );
  if (preview.face !== 'full') return null;
  if (preview.value.rows.length === 0) return <Empty>{words.upload.preview.none}</Empty>;
  return (
    <div className="upload-preview">
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <DataGrid
          label={words.upload.preview.grid(name)}
          columns={columns}
          rows={preview.value.rows.length}
          onSelect={ignore}
        />
      </Suspense>
    </div>
  );
}
