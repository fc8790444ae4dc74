import { useState, type ReactNode } from 'react';
import { folderPath } from '../../../shared/saved/saved.ts';
import { valueOr } from '../../state/loadable.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import './saved.css';

const w = words.saved;

export interface SavedPlace {
  readonly name: string;
  readonly folder: string;
}

interface PlaceFormProps {
  readonly start: SavedPlace;
  /** Whether another query is stored there. */
  readonly replaces: (place: SavedPlace) => boolean;
  readonly onSave: (place: SavedPlace) => void;
  readonly children?: ReactNode;
}

/** A typed folder, with spaces around names removed. */
const parseFolder = (typed: string): string =>
  typed
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .join('/');

export default function PlaceForm({ start, replaces, onSave, children }: PlaceFormProps) {
  const folders = useAppState('saved', (state) => valueOr(state.list, null)?.folders) ?? [];
  const [name, setName] = useState(start.name);
  const [folder, setFolder] = useState(start.folder);
  const problem = folderPath.safeParse(folder).error?.issues[0]?.message;
  const place = { name: name.trim().slice(0, 200), folder };
  const find = (typed: string) =>
    folders
      .filter((path) => path.toLocaleLowerCase().includes(typed.toLocaleLowerCase()))
      .map((path) => ({ id: path, text: path }));
  return (
    <Form
      className="stack gap-3"
      onSubmit={() => {
        if (place.name !== '' && problem === undefined) onSave(place);
      }}
    >
      {/* oxlint-disable-next-line no-autofocus -- the first field of a popup that was asked for */}
      <TextField label={w.name} name="name" value={name} onChange={setName} autoFocus />
      <ComboBox
        label={w.folder}
        value={folder === '' ? null : folder}
        text={folder}
        find={find}
        allowsCustom
        onSelect={(typed) => setFolder(parseFolder(typed))}
        placeholder={w.folderHint}
        note={w.folderNote}
        problem={problem}
      />
      {place.name !== '' && replaces(place) && <Alert tone="info">{w.replaces}</Alert>}
      {children}
      <Button type="submit" variant="primary" className="self-start" isDisabled={place.name === ''}>
        {w.save}
      </Button>
    </Form>
  );
}
