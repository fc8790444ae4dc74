import { useState } from 'react';
import { Choice } from '../../../ui/choice.tsx';
import { useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import { PreviewGrid } from './preview-grid.tsx';
import { RawLines } from './raw-lines.tsx';

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
