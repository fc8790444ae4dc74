import { useId } from 'react';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { OtherFileButton } from './file-chooser.tsx';
import { NullsField } from './nulls-field.tsx';
import { FormatForm } from './format-form.tsx';
import { WarningList } from '../check/warning-list.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';

/** The detected file format, its warnings, and controls to correct it. */
export function FileStep() {
  const warningsId = useId();
  const readingId = useId();
  const { actions } = useTab('upload');
  const { preview, inspection } = useTabState('upload', (state) => state);
  const again = () => void actions.readAgain();
  const readAgain = <Button onPress={again}>{uploadWords.file.readAgain}</Button>;
  if (preview.status === 'loading')
    return <Loading what={uploadWords.file.readingStart} onCancel={actions.cancelReading} />;
  if (preview.status === 'idle') return <Empty action={readAgain}>{uploadWords.file.notRead}</Empty>;
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
      <section aria-labelledby={readingId}>
        <h2 id={readingId}>{uploadWords.file.reading}</h2>
        <FormatForm
          preview={preview.value}
          inspection={inspection.status === 'loaded' ? inspection.value : null}
        />
        <NullsField />
      </section>
      <div className="stack gap-4">
        <section aria-labelledby={warningsId}>
          <h2 id={warningsId}>{uploadWords.file.warnings}</h2>
          {inspection.status === 'loading' && (
            <Loading what={uploadWords.file.readingAll} onCancel={actions.cancelReading} />
          )}
          {inspection.status === 'idle' && <Empty action={readAgain}>{uploadWords.file.notRead}</Empty>}
          {inspection.status === 'failed' && <Failed error={inspection.error} isInForm onRetry={again} />}
          {inspection.status === 'loaded' && <Warnings inspection={inspection.value} />}
        </section>
        <FileHeaderCard header={preview.value.header} />
      </div>
    </div>
  );
}

function Warnings({ inspection: { warnings } }: { inspection: Inspection }) {
  if (warnings.length === 0) return <p className="quiet">{uploadWords.file.noWarnings}</p>;
  return <WarningList warnings={warnings} isEditable />;
}

const w = uploadWords.source;

type HeaderEntry = FilePreview['header'][number];

const valueText = ({ value, unit }: HeaderEntry): string =>
  visibleLine(unit === null ? value : `${value} ${unit}`);

/** The header of a file, such as the well section of a LAS file. Groups after the second are closed at first. */
function FileHeaderCard({ header }: Pick<FilePreview, 'header'>) {
  const fileHeaderId = useId();
  const filled = header.filter(({ value }) => value.trim() !== '');
  if (filled.length === 0) return null;
  return (
    <section className="file-header" aria-labelledby={fileHeaderId}>
      <h2 id={fileHeaderId}>{w.header}</h2>
      {[...Map.groupBy(filled, ({ group }) => group)].map(([group, entries], at) => (
        <details key={group} open={at < 2}>
          <summary>{visibleLine(group)}</summary>
          <table className="small">
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{w.headerName}</th>
                <th scope="col">{w.headerValue}</th>
                <th scope="col">{w.headerDescription}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry, row) => (
                <tr key={`${entry.name} ${row}`}>
                  <th scope="row" className="mono">
                    {visibleLine(entry.name)}
                  </th>
                  <td>{valueText(entry)}</td>
                  <td className="quiet">{visibleLine(entry.description ?? '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      ))}
    </section>
  );
}
