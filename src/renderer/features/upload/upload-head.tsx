import { FileText } from 'lucide-react';
import { formatBytes } from '../../format/numbers.ts';
import { useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { DatasetPicker } from './dataset-picker.tsx';
import { AnotherFile } from './file/file-chooser.tsx';
import { fileName } from './upload-state.ts';
import { useOtherConnection, useStanding } from './use-standing.ts';

/** What is uploaded, and where it goes. */
export function UploadHead() {
  const name = useTabState('upload', fileName);
  const file = useTabState('upload', (state) => state.file);
  const { job, sending } = useStanding();
  const other = useOtherConnection(sending);
  const bytes = file.face === 'granted' ? file.file.bytes : file.face === 'handing' ? file.bytes : null;
  return (
    <header className="upload-head row wrap">
      {name !== null && (
        <span className="row ellipsis">
          <FileText className="quiet" size={16} aria-hidden />
          <strong className="ellipsis" title={name}>
            {name}
          </strong>
          {bytes !== null && <span className="quiet numbers">{formatBytes(bytes)}</span>}
        </span>
      )}
      {job === null && file.face === 'granted' && <AnotherFile />}
      <span className="quiet">{name === null ? words.upload.uploadInto : words.upload.into}</span>
      {sending ? (
        <strong className="ellipsis">
          {sending.address.provider}/{sending.address.dataset}
        </strong>
      ) : (
        <DatasetPicker />
      )}
      {other !== null && <span>{words.upload.onConnection(other)}</span>}
    </header>
  );
}
