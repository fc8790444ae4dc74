import { useState } from 'react';
import { defaultExceptionShare } from '../../../../shared/upload/null-tokens.ts';
import { readList, writeList } from '../../../../shared/value-lists.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ListField } from '../../../ui/list-field.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';

const w = uploadWords.columns;

/** The null values. The file is inspected again with them, so they are submitted on blur. */
export function NullsField() {
  const { actions } = useTab('upload');
  const nulls = useTabState('upload', (state) => writeList(state.choices.nulls));
  const proposedNulls = useTabState('upload', (state) => state.proposedNulls);
  const proposed = proposedNulls.filter((token) => readList(nulls).includes(token));
  const [previousNulls, setPreviousNulls] = useState(nulls);
  const [inputText, setInputText] = useState(nulls);
  // Other controls change the null values too: the box follows.
  if (previousNulls !== nulls) {
    setPreviousNulls(nulls);
    setInputText(nulls);
  }
  const submit = () => {
    if (writeList(readList(inputText)) !== nulls) actions.setNulls(readList(inputText));
  };
  return (
    <form
      className="max-text stack gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ListField
        label={w.nulls}
        name="nulls"
        value={inputText}
        onChange={setInputText}
        onBlur={submit}
        note={w.nullsNote}
      />
      {proposed.length > 0 && <p className="quiet">{w.nullsProposed(proposed)}</p>}
      <TextNulls />
      <ExceptionShareSelect />
    </form>
  );
}

/** Common null values that are text in this file. */
function TextNulls() {
  const { actions } = useTab('upload');
  const kept = useTabState('upload', (state) => state.choices.keepAsText);
  if (!kept || kept.length === 0) return null;
  return (
    <p className="row wrap">
      <span className="quiet">{w.keptAsText}</span>
      {kept.map((text) => (
        <Button key={text} onPress={() => actions.treatAsNull(text)}>
          {uploadWords.warnings.takeAsNull(text)}
        </Button>
      ))}
    </p>
  );
}

const shares = [0, 0.001, 0.01, 0.05, 0.1] as const;

/** How many values of another type a column may have before it is text. */
function ExceptionShareSelect() {
  const { actions } = useTab('upload');
  const share = useTabState('upload', (state) => state.choices.exceptionShare ?? defaultExceptionShare);
  return (
    <SelectField
      label={w.exceptions}
      value={String(share)}
      options={[...new Set([...shares, share])]
        .toSorted((a, b) => a - b)
        .map((option) => ({
          id: String(option),
          text: w.exceptionShare(option, option === defaultExceptionShare),
        }))}
      onChange={(id) => actions.allowExceptions(Number(id))}
      note={w.exceptionsNote}
    />
  );
}
