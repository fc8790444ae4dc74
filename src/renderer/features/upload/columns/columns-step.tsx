import { useId } from 'react';
import { symbolText } from '../../../../shared/channels/units.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loading } from '../../../ui/view-states.tsx';
import { Status } from '../../../ui/status.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { ConnectionFailed } from '../../connections/connection-failed.tsx';
import { ColumnTable } from './column-table.tsx';
import { FieldRow } from './field-row.tsx';
import { missingFields } from './fields.ts';
import { NullsField } from '../file/nulls-field.tsx';
import { foldField } from './combined-rows.tsx';
import { TemplateBar } from './template-bar.tsx';
import { WellNamesSection } from '../wells/well-names-section.tsx';
import { WellQuestionAlert } from '../wells/well-question-alert.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { fieldName } from './field-name.ts';

const w = uploadWords.columns;

/** The required fields, and the target of each column of the file. */
export function ColumnsStep() {
  const [fieldsId, columnsId] = [useId(), useId()];
  const { match, dataset, origin } = useTabState('upload', (state) => state);
  const { actions } = useTab('upload');
  if (match.error)
    return <ConnectionFailed error={match.error} onRetry={() => dataset && actions.setDataset(dataset)} />;
  if (!match.value) return <Loading what={w.matching} />;
  const { fields } = match.value;
  // Problems of combined rows are shown beside that choice.
  const issues = match.value.issues.filter(({ place }) => place?.field !== foldField);
  const missing = missingFields(match.value).map(({ path }) => fieldName(path));
  return (
    <div className="upload-step stack gap-4">
      {origin && <Alert tone="info">{w.origin(origin.file)}</Alert>}
      <EarlierMappingNote />
      <UnitDifferences />
      <WellQuestionAlert />
      <section aria-labelledby={fieldsId}>
        <div className="row wrap">
          <h2 id={fieldsId}>{w.fields}</h2>
          <Status className={missing.length > 0 ? 'tone-error' : 'quiet'}>
            {missing.length > 0 ? w.missing(missing.join(', ')) : w.filled}
          </Status>
          <TemplateBar />
        </div>
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
      <section aria-labelledby={columnsId}>
        <ColumnTable headingId={columnsId} />
        <NullsField />
      </section>
    </div>
  );
}

/** Says which columns have another unit than in the file of the mapping. */
function UnitDifferences() {
  const differences = useTabState('upload', (state) => state.unitDifferences);
  if (differences.length === 0) return null;
  return (
    <Alert tone="warning">
      <p>{w.otherUnits.heading}</p>
      <ul>
        {differences.map(({ column, before, now, isConverted }) => (
          <li key={column}>
            {now === null
              ? w.otherUnits.missing(column, symbolText(before))
              : w.otherUnits.differs(column, symbolText(now), symbolText(before), isConverted)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Says that the mapping of a template or of an earlier file is used, with a way back. */
function EarlierMappingNote() {
  const { actions } = useTab('upload');
  const earlier = useTabState('upload', (state) => state.earlierMapping);
  if (!earlier) return null;
  return (
    <Alert tone="info" actions={<Button onPress={actions.undoEarlierMapping}>{w.undoEarlierMapping}</Button>}>
      {'template' in earlier ? w.templateMapping(earlier.template) : w.lastMapping(earlier.file)}
    </Alert>
  );
}
