import { NotebookPen, Pencil, Plus, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { maxNoteLength, type WellNote } from '../../../shared/contract/notes.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Bound } from '../../../shared/language/text/conditions.ts';
import { assetId } from '../../../shared/wells/wells.ts';
import { useSession } from '../../contexts.ts';
import { boundOrder, formatBound, parseRange } from '../../format/range-inputs.ts';
import type { Problems } from '../../state/problems.ts';
import { perform } from '../../state/resource.ts';
import { useForm, type Checked } from '../../state/use-form.ts';
import { useViewCall, type ViewCall } from '../../state/view-call.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Popup } from '../../ui/popup.tsx';
import { SelectField } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { notesWords as w } from '../../words/notes.ts';
import { words } from '../../words/words.ts';
import { rangesInUnit } from '../records/shown-cells.ts';
import { noteInOneLine, noteLine, noteRange, useNoteList, useNotes } from './notes.tsx';

/** The axis of a plot, along which its notes are. */
export interface NoteAxis {
  readonly along: WellNote['along'];
  /** Of times, an IANA name: that of the plot, whose axis the user reads. */
  readonly zone: string;
  /** Of depths; null: unknown. */
  readonly unit: string | null;
  /** What is in view. */
  readonly range: { readonly from: number; readonly to: number };
}

interface NotesButtonProps {
  readonly isIcon: boolean;
  /** Opens the form of a new note. */
  readonly call: ViewCall<void>;
  /** Asset ids as text. */
  readonly wells: readonly { readonly id: string; readonly name: string }[];
  /** Null: the plot has no time or measured depth as recorded. */
  readonly axis: NoteAxis | null;
}

/** What the popup shows: the notes, or the form of a note. */
type Shown = 'closed' | 'list' | { readonly note: WellNote };

export function NotesButton({ isIcon, call, wells, axis }: NotesButtonProps) {
  const [shown, setShown] = useState<Shown>('closed');
  const ids = useMemo(() => wells.map(({ id }) => id), [wells]);
  const notes = useNotes(ids)
    .filter(({ along }) => along === axis?.along)
    .map((note) => ({ note, start: rangesInUnit([note], note.unit, axis?.unit)[0]?.from ?? note.from }))
    .toSorted((a, b) => a.start - b.start)
    .map(({ note }) => note);
  const { refresh } = useSession().notes;
  const isOpen = shown !== 'closed';
  // Another window may have changed them.
  useEffect(() => {
    if (isOpen) void refresh();
  }, [isOpen, refresh]);
  const [first] = wells;
  const add = () => setShown(axis && first ? { note: newNote(axis, first.id) } : 'list');
  useViewCall(call, add);
  const text = w.button(notes.length);
  const isForm = typeof shown === 'object';
  return (
    <Popup
      heading={!isForm ? w.heading : shown.note.text === '' ? w.new : w.change}
      isWide
      isOpen={isOpen}
      onOpenChange={(open) => setShown(open ? 'list' : 'closed')}
      trigger={{ icon: NotebookPen, [isIcon ? 'aria-label' : 'children']: text }}
    >
      {() =>
        !axis || !first ? (
          <p className="field-note">{axis ? w.noWells : w.noAxis}</p>
        ) : isForm ? (
          <NoteForm
            key={shown.note.id}
            note={shown.note}
            wells={wells}
            zone={axis.zone}
            onEnd={() => setShown('list')}
          />
        ) : (
          <NoteRows
            notes={notes}
            wells={wells}
            zone={axis.zone}
            onAdd={add}
            onEdit={(note) => setShown({ note })}
          />
        )
      }
    </Popup>
  );
}

/** A note without a text on what is in view, to the second, or to a hundredth of the unit. */
function newNote({ along, unit, range }: NoteAxis, well: string): WellNote {
  const rounded = (value: number): number =>
    along === 'time' ? Math.round(value / 1000) * 1000 : Math.round(value * 100) / 100;
  return {
    id: crypto.randomUUID(),
    well: assetId.parse(Number(well)),
    along,
    from: rounded(range.from),
    to: rounded(range.to),
    unit,
    text: '',
    changedAt: Date.now(),
  };
}

interface NoteRowsProps extends Pick<NotesButtonProps, 'wells'> {
  readonly notes: readonly WellNote[];
  readonly zone: string;
  readonly onAdd: () => void;
  readonly onEdit: (note: WellNote) => void;
}

function NoteRows({ notes, wells, zone, onAdd, onEdit }: NoteRowsProps) {
  const { put, remove, refresh } = useSession().notes;
  const list = useNoteList();
  const [removed, setRemoved] = useState<WellNote | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const change = (work: () => Promise<void>, next: WellNote | null) =>
    void perform(async () => {
      await work();
      setRemoved(next);
    }, setError);
  if (list.status === 'failed') return <Failed error={list.error} onRetry={() => void refresh()} />;
  if (list.status !== 'loaded') return <Loading what={w.loading} />;
  return (
    <KeepFocus className="stack gap-3" focusKey={notes.length}>
      {list.value.problem !== null && <Alert tone="warning">{list.value.problem}</Alert>}
      {error && <Failed error={error} isInForm />}
      {removed && (
        <Alert
          tone="info"
          actions={<Button onPress={() => change(() => put(removed), null)}>{w.undo}</Button>}
        >
          {w.removed}
        </Alert>
      )}
      {notes.length === 0 && <p className="quiet">{w.none}</p>}
      <ul className="stack gap-2" aria-label={w.heading}>
        {notes.map((note) => {
          const line = noteLine(note, zone);
          const well = wells.find(({ id }) => id === String(note.well))?.name;
          return (
            <li key={note.id} className="row items-start">
              <div className="grow break">
                <p className="quiet small numbers">
                  {noteRange(note, zone)}
                  {wells.length > 1 && ` · ${well}`}
                </p>
                <p>{noteInOneLine(note.text)}</p>
              </div>
              <Button variant="quiet" icon={Pencil} aria-label={w.edit(line)} onPress={() => onEdit(note)} />
              <Button
                variant="quiet"
                icon={Trash2}
                aria-label={w.remove(line)}
                onPress={() => change(() => remove(note.id), note)}
              />
            </li>
          );
        })}
      </ul>
      <div className="row">
        <Button icon={Plus} onPress={onAdd}>
          {w.add}
        </Button>
      </div>
    </KeepFocus>
  );
}

interface NoteFormProps extends Pick<NotesButtonProps, 'wells'> {
  readonly note: WellNote;
  readonly zone: string;
  readonly onEnd: () => void;
}

interface Inputs {
  readonly well: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}
type Field = 'from' | 'to' | 'text';

function boundsOf({ along, from, to }: WellNote): { readonly from: Bound; readonly to: Bound | null } {
  const bound = (at: number): Bound =>
    along === 'time' ? { kind: 'time', ms: at } : { kind: 'depth', depth: at };
  return { from: bound(from), to: to === null ? null : bound(to) };
}

/** The note of the inputs, or what is wrong with them. A time or depth whose text is unchanged stays exactly as it was. */
function checkNote(note: WellNote, inputs: Inputs, zone: string): Checked<WellNote, Field> {
  const bad = { message: note.along === 'time' ? w.badTime : w.badDepth() };
  const result = parseRange({ ...inputs, zone }, { ...boundsOf(note), includesTo: true }, note.along);
  const wrong = 'problems' in result ? result.problems : {};
  const range = 'range' in result ? result.range : { from: null, to: null };
  const [from, to] = [boundOrder(range.from), boundOrder(range.to)];
  // A relative time has no place on an axis.
  const isBadFrom = wrong.from || ('range' in result && from === null);
  const isBadTo = wrong.to || (to === null && range.to !== null);
  const text = inputs.text.trim();
  const problems: Problems<Field> = {
    ...(isBadFrom && { from: bad }),
    ...(isBadTo && { to: wrong.to === 'backwards' ? { message: w.backwards } : bad }),
    ...(text === '' && { text: { message: w.noText } }),
    ...(text.length > maxNoteLength && { text: { message: w.longText(maxNoteLength) } }),
  };
  if (from === null || Object.keys(problems).length > 0) return { ok: false, problems };
  const well = assetId.parse(Number(inputs.well));
  return { ok: true, value: { ...note, well, from, to, text, changedAt: Date.now() } };
}

function NoteForm({ note, wells, onEnd, ...given }: NoteFormProps) {
  // Its times are read in the zone in which they were written, even if that of the wells is known meanwhile.
  const [zone] = useState(given.zone);
  const { put } = useSession().notes;
  const form = useForm<Inputs, WellNote, Field>({
    initial: () => {
      const { from, to } = boundsOf(note);
      return {
        well: String(note.well),
        from: formatBound(from, zone),
        to: formatBound(to, zone),
        text: note.text,
      };
    },
    check: (inputs) => checkNote(note, inputs, zone),
  });
  const unit = note.along === 'time' ? zone : note.unit;
  const save = () =>
    form.run('save', async (value) => {
      await put(value);
      onEnd();
    });
  return (
    <Form className="stack gap-3" onSubmit={save} correction={form.correction}>
      {wells.length > 1 && (
        <SelectField
          label={w.well}
          value={form.inputs.well}
          options={wells.map(({ id, name }) => ({ id, text: name }))}
          onChange={(well) => form.set({ well })}
        />
      )}
      <div className="halves gap-3 items-start">
        <TextField label={w.from(unit)} {...form.field('from')} />
        <TextField label={w.to(unit)} {...form.field('to')} note={w.toHint} />
      </div>
      {/* oxlint-disable-next-line no-autofocus -- the form was asked for, to write this */}
      <TextField label={w.text} rows={3} autoFocus {...form.field('text')} />
      {form.error && <Failed error={form.error} isInForm />}
      <div className="row to-end">
        <Button onPress={onEnd}>{words.cancel}</Button>
        <Button variant="primary" type="submit" isDisabled={form.isRunning}>
          {w.save}
        </Button>
      </div>
    </Form>
  );
}
