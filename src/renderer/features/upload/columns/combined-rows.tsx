import { useState } from 'react';
import { isObject, parseJson, stringifyJson, type JsonValue } from '../../../../shared/json.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import { foldBy, foldColumn, type Fold } from '../../../../shared/upload/upload.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { uploadWords } from '../../../words/upload.ts';

const w = uploadWords.columns;
/** The place of issues with combined rows. */
export const foldField = 'mapping.fold';
const perRow = 'row';
const perFile = 'file';
const columnOption = 'column ';
const defaultInto = 'data.stations';

function optionOf(fold: Fold): string {
  const column = foldColumn(fold);
  return column === null ? perFile : `${columnOption}${column}`;
}
const byOf = (option: string): Fold['by'] =>
  foldBy(option === perFile ? null : option.slice(columnOption.length));

/** Selects how rows become records. */
export function RecordsSelect() {
  const { actions } = useTab('upload');
  const fold = useTabState('upload', ({ choices }) => choices.fold);
  const columns = useTabState('upload', ({ match }) => match.value?.columns);
  const choose = (option: string) =>
    actions.combineRows(option === perRow ? null : { by: byOf(option), into: fold?.into ?? defaultInto });
  return (
    <SelectBox
      label={w.recordFor}
      value={fold ? optionOf(fold) : perRow}
      options={[
        { id: perRow, text: w.perRow },
        { id: perFile, text: w.perFile },
        ...(columns ?? []).map(({ column }) => ({
          id: `${columnOption}${column}`,
          text: w.perValue(column),
        })),
      ]}
      onChange={choose}
    />
  );
}

/** The list of combined rows, and the first record that they make. */
export function CombinedRows() {
  const fold = useTabState('upload', ({ choices }) => choices.fold);
  const match = useTabState('upload', (state) => state.match.value);
  if (!match || !fold) return null;
  const problems = match.issues.filter(({ place }) => place?.field === foldField);
  return (
    <div className="upload-combined stack gap-3">
      <IntoField key={fold.into} fold={fold} />
      {problems.length > 0 && (
        <Alert tone="error">
          {problems.map(({ message }) => (
            <p key={message}>{message}</p>
          ))}
        </Alert>
      )}
      {match.folded && <FirstRecord folded={match.folded} into={fold.into} />}
    </div>
  );
}

/** The path of the list. The columns are matched again with it, so it is submitted on blur. */
function IntoField({ fold }: { fold: Fold }) {
  const { actions } = useTab('upload');
  const [text, setText] = useState(fold.into);
  const submit = () => {
    const into = text.trim();
    if (into !== '' && into !== fold.into) actions.combineRows({ ...fold, into });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={w.into}
        name="into"
        value={text}
        onChange={setText}
        onBlur={submit}
        mono
        note={w.intoNote}
      />
    </form>
  );
}

interface FirstRecordProps {
  readonly folded: NonNullable<UploadMatch['folded']>;
  readonly into: string;
}

function FirstRecord({ folded, into }: FirstRecordProps) {
  const { rows, records, firstRows, example, items } = folded;
  const more = firstRows - items;
  return (
    <div className="stack gap-0">
      <p>{w.folded(rows, records)}</p>
      {example === null ? (
        <p className="tone-error">{w.firstHasErrors}</p>
      ) : (
        // oxlint-disable-next-line no-noninteractive-tabindex -- long lines scroll, by keyboard too
        <pre className="small mono" aria-label={w.firstRecord} tabIndex={0}>
          {recordText(example, into, more > 0 ? w.moreItems(more) : null)}
        </pre>
      )}
    </div>
  );
}

const indent = (depth: number): string => '  '.repeat(depth);

/**
 * A record as text: each field, and each item of its list, on a line of its own.
 * @param json the record with the first items of its list
 * @param into the path of the list
 * @param afterItems the line after these items; null: there are no more
 */
export function recordText(json: string, into: string, afterItems: string | null): string {
  const textOf = (value: JsonValue, path: readonly string[]): string => {
    const before = indent(path.length);
    const within = indent(path.length + 1);
    if (Array.isArray(value) && path.join('.') === into) {
      const lines = [
        ...value.map((item) => stringifyJson(item)),
        ...(afterItems === null ? [] : [afterItems]),
      ];
      return `[\n${lines.map((line) => within + line).join('\n')}\n${before}]`;
    }
    if (!isObject(value)) return stringifyJson(value);
    const fields = Object.entries(value);
    const lines = fields.map(([name, field]) => `${within}${name}: ${textOf(field, [...path, name])}`);
    return `{\n${lines.join('\n')}\n${before}}`;
  };
  return textOf(parseJson(json), []);
}
