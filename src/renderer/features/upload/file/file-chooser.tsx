import { FileUp, FolderOpen } from 'lucide-react';
import { transferringFile } from '../upload-state.ts';
import { fileExtensions } from '../../../../shared/upload/formats.ts';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Failed, Loading } from '../../../ui/view-states.tsx';
import { useAppState, useSession, useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { addFiles, openGrantedFiles } from '../open-upload.ts';

const types = fileExtensions.map((extension) => `.${extension}`);

/** Opens the system's file dialog, or the browser's where the host has none. */
function ChooseButton({ primary }: { primary: boolean }) {
  const files = useAppState('workspace', (state) => state.files);
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  const session = useSession();
  const button = (
    <Button
      variant={primary ? 'primary' : 'quiet'}
      icon={FolderOpen}
      {...(files === 'dialog'
        ? { onPress: () => void actions.choose().then((more) => openGrantedFiles(session, more, dataset)) }
        : {})}
    >
      {primary ? (
        uploadWords.choose.button
      ) : (
        <span className="upload-another-text">{uploadWords.choose.another}</span>
      )}
    </Button>
  );
  if (files === 'dialog') return button;
  return (
    <FileTrigger
      acceptedFileTypes={types}
      allowsMultiple
      onSelect={(picked) => {
        const [first, ...more] = picked ?? [];
        if (first) void actions.addFile(first);
        if (more.length > 0) addFiles(session, more);
      }}
    >
      {button}
    </FileTrigger>
  );
}

export const OtherFileButton = () => <ChooseButton primary={false} />;

/** The first view of an upload: no file yet, or the file failed. */
export function FileChooser() {
  const { actions } = useTab('upload');
  const file = useTabState('upload', (state) => state.file);
  const coming = useTabState('upload', transferringFile);
  const isSample = useAppState('connections', ({ current }) => current?.sample === true);
  if (coming)
    return <Loading what={uploadWords.choose.handing(coming.name)} onCancel={actions.cancelReading} />;
  return (
    <div className="pad-3 fill center">
      <div className="upload-target items-center stack gap-3">
        <FileUp className="quiet" size={32} strokeWidth={1.5} aria-hidden />
        <h2>{uploadWords.choose.heading}</h2>
        <p className="quiet">{uploadWords.choose.text}</p>
        {file.status === 'failed' && <Alert tone="error">{file.error.message}</Alert>}
        {file.status === 'missing' && file.error === null && (
          <Alert tone="warning">{uploadWords.choose.gone(file.file.name)}</Alert>
        )}
        {file.status === 'missing' && file.error !== null && (
          <Failed error={file.error} isInForm onRetry={() => void actions.restoreAgain()} />
        )}
        <ChooseButton primary />
        {isSample && (
          <Button variant="quiet" onPress={() => void actions.addSample()}>
            {uploadWords.choose.sample}
          </Button>
        )}
      </div>
    </div>
  );
}
