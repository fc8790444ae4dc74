import { useState } from 'react';
import { defaultExceptionShare } from '../../../../shared/upload/null-tokens.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';

const w = words.upload.columns;

/** Texts that stand for no value; the file is read anew with them, so they are taken when the box is left. */
export function NullsField() {
  const { actions } = useTab('upload');
  const nulls = useTabState('upload', (state) => state.choices.nulls);
  const [known, setKnown] = useState(nulls);
  const [typed, setTyped] = useState(nulls);
  // They are named elsewhere too: what holds then stands in the box.
  if (known !== nulls) {
    setKnown(nulls);
    setTyped(nulls);
  }
  const take = () => {
    if (typed !== nulls) actions.nameNulls(typed);
  };
  return (
    <form
      className="upload-nulls stack gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <TextField
        label={words.upload.columns.nulls}
        name="nulls"
        value={typed}
        onChange={setTyped}
        onBlur={take}
        note={words.upload.columns.nullsNote}
      />
      <KeptAsText />
      <Exceptions />
    </form>
  );
}

/** The usual words for null that are text in this file. */
function KeptAsText() {
  const { actions } = useTab('upload');
  const kept = useTabState('upload', (state) => state.choices.keepAsText);
  if (!kept || kept.length === 0) return null;
  return (
    <p className="row wrap">
      <span className="quiet">{w.keptAsText}</span>
      {kept.map((text) => (
        <Button key={text} onPress={() => actions.takeAsNull(text)}>
          {words.upload.warnings.takeAsNull(text)}
        </Button>
      ))}
    </p>
  );
}

const shares = [0, 0.001, 0.01, 0.05, 0.1] as const;

/** How many values of another type a column may have before it is text. */
function Exceptions() {
  const { actions } = useTab('upload');
  const share = useTabState('upload', (state) => state.choices.exceptionShare ?? defaultExceptionShare);
  return (
    <SelectField
      label={w.exceptions}
      value={String(share)}
      options={[...new Set([...shares, share])]
        .toSorted((a, b) => a - b)
        .map((each) => ({
          id: String(each),
          text: w.exceptionShare(each, each === defaultExceptionShare),
        }))}
      onChange={(id) => actions.allowExceptions(Number(id))}
      note={w.exceptionsNote}
    />
  );
}
