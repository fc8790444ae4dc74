import type { Inspection } from '../../../../shared/upload/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { OtherFileButton } from './file-chooser.tsx';
import { FileHeaderCard } from './file-header-card.tsx';
import { NullsField } from './nulls-field.tsx';
import { FormatForm } from './format-form.tsx';
import { WarningList } from '../check/warning-list.tsx';
import { useTab, useTabState } from '../../../contexts.ts';

/** The detected file format, its warnings, and controls to correct it. */
export function FileStep() {
  const { actions } = useTab('upload');
  const { preview, inspection } = useTabState('upload', (state) => state);
  const again = () => void actions.readAgain();
  const readAgain = <Button onPress={again}>{words.upload.file.readAgain}</Button>;
  if (preview.status === 'loading')
    return <Loading what={words.upload.file.readingStart} onCancel={actions.cancelReading} />;
  if (preview.status === 'idle') return <Empty action={readAgain}>{words.upload.file.notRead}</Empty>;
  if (preview.status === 'failed')
    return (
      <div className="upload-refused stack gap-3">
        {/* A file that isn't a table doesn't become one on retry. */}
        <Failed
          error={preview.error}
          isInForm
          {...(preview.error.is('file_unsuitable') ? {} : { onRetry: again })}
        />
        <OtherFileButton />
        <FormatForm preview={null} inspection={null} />
      </div>
    );
  return (
    <div className="upload-step stack gap-4 file-step">
      <section aria-labelledby="upload-reading">
        <h2 id="upload-reading">{words.upload.file.reading}</h2>
        <FormatForm
          preview={preview.value}
          inspection={inspection.status === 'loaded' ? inspection.value : null}
        />
        <NullsField />
      </section>
      <div className="stack gap-4">
        <section aria-labelledby="upload-warnings">
          <h2 id="upload-warnings">{words.upload.file.warnings}</h2>
          {inspection.status === 'loading' && (
            <Loading what={words.upload.file.readingAll} onCancel={actions.cancelReading} />
          )}
          {inspection.status === 'idle' && <Empty action={readAgain}>{words.upload.file.notRead}</Empty>}
          {inspection.status === 'failed' && <Failed error={inspection.error} isInForm onRetry={again} />}
          {inspection.status === 'loaded' && <Warnings inspection={inspection.value} />}
        </section>
        <FileHeaderCard header={preview.value.header} />
      </div>
    </div>
  );
}

function Warnings({ inspection: { warnings } }: { inspection: Inspection }) {
  if (warnings.length === 0) return <p className="quiet">{words.upload.file.noWarnings}</p>;
  return <WarningList warnings={warnings} isEditable />;
}
