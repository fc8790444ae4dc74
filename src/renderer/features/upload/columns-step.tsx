import { useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Loading } from '../../ui/faces.tsx';
import { Status } from '../../ui/status.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { ColumnTable } from './column-table.tsx';
import { useUpload, useUploadState } from './context.ts';
import { FieldRow } from './field-row.tsx';
import { missingFields } from './missing.ts';
import { TemplateBar } from './template-bar.tsx';
import { WellNamesSection } from './well-names-section.tsx';

const w = words.upload.columns;

/** What the dataset needs, filled or missing, and where each column of the file goes. */
export function ColumnsStep() {
  const match = useUploadState((state) => state.match);
  const { actions } = useUpload();
  const dataset = useUploadState((state) => state.dataset);
  if (match.error)
    return <ConnectionFailed error={match.error} onRetry={() => dataset && actions.into(dataset)} />;
  if (!match.value) return <Loading what={w.matching} />;
  const { fields, issues } = match.value;
  const missing = missingFields(match.value).map(({ path }) => path);
  return (
    <div className="upload-step columns-step">
      <TemplateBar />
      <section aria-labelledby="upload-fields">
        <h2 id="upload-fields">{w.fields}</h2>
        <Status className={missing.length > 0 ? 'upload-missing' : 'quiet'}>
          {missing.length > 0 ? w.missing(missing.join(', ')) : w.filled}
        </Status>
        <ul className="upload-fields">
          {fields.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
        </ul>
        {issues.length > 0 && (
          <Alert tone="error">
            {issues.map(({ message }) => (
              <p key={message}>{message}</p>
            ))}
          </Alert>
        )}
      </section>
      <WellNamesSection />
      <section aria-labelledby="upload-columns">
        <h2 id="upload-columns">{w.heading}</h2>
        <ColumnTable />
        <Nulls />
      </section>
    </div>
  );
}

/** Texts that stand for no value; the file is read anew with them, so they are taken when the box is left. */
function Nulls() {
  const { actions } = useUpload();
  const nulls = useUploadState((state) => state.choices.nulls);
  const [typed, setTyped] = useState(nulls);
  const take = () => {
    if (typed !== nulls) actions.nameNulls(typed);
  };
  return (
    <form
      className="upload-nulls"
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <TextField
        label={w.nulls}
        name="nulls"
        value={typed}
        onChange={setTyped}
        onBlur={take}
        note={w.nullsNote}
      />
    </form>
  );
}
