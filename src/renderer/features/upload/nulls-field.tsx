import { useState } from 'react';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { useUpload, useUploadState } from './context.ts';

/** Texts that stand for no value; the file is read anew with them, so they are taken when the box is left. */
export function NullsField() {
  const { actions } = useUpload();
  const nulls = useUploadState((state) => state.choices.nulls);
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
      className="upload-nulls"
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
    </form>
  );
}
