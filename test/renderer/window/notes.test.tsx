import { screen, within } from '@testing-library/dom';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { wellNote } from '../../../src/shared/contract/notes.ts';
import { SessionContext } from '../../../src/renderer/contexts.ts';
import { NotesButton, type NoteAxis } from '../../../src/renderer/features/notes/notes-button.tsx';
import { createViewCall } from '../../../src/renderer/state/view-call.ts';
import { notesWords } from '../../../src/renderer/words/notes.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { including, startingLike } from '../../support/wording.ts';
import { cleanups } from './support/cleanups.ts';
import { openConnected, waitForWells } from './support/open-window.tsx';

const w = notesWords;
const ridge = 'Ridge A-101H';
const cottonwood = 'Cottonwood A-105H';

/** Opens the notes of a plot over time of these wells, in a window with a connection. */
async function openNotes(
  wells: readonly { readonly id: string; readonly name: string }[],
  axis: Partial<NoteAxis> = {},
) {
  const opened = await openConnected();
  await waitForWells(8);
  const call = createViewCall<void>();
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  cleanups.push(async () => {
    root.unmount();
    place.remove();
  });
  const range = { from: Date.UTC(2026, 10, 20, 20, 15), to: Date.UTC(2026, 10, 20, 21, 40) };
  root.render(
    <SessionContext value={opened.session()}>
      <NotesButton
        isIcon={false}
        call={call}
        wells={wells}
        axis={{ along: 'time', zone: 'UTC', unit: null, range, ...axis }}
      />
    </SessionContext>,
  );
  const stored = () => {
    const answer = opened.session().notes.list.get(opened.connection);
    return answer.status === 'loaded' ? answer.value.notes : [];
  };
  return { ...opened, call, stored, range };
}
const ofRidge = [{ id: '5001', name: ridge }];
const dialog = (name: string) => screen.findByRole('dialog', { name });

it('a note is added, changed, removed, and put back', async () => {
  const { press, fill, stored, range } = await openNotes(ofRidge);
  await press(w.button(0));
  expect(await screen.findByText(w.none)).toBeVisible();
  await press(w.add);
  const form = await dialog(w.new);
  await fill(w.text, '<b>stuck</b>\npipe', form);
  await press(w.save, form);
  await within(await dialog(w.heading)).findByText('<b>stuck</b> pipe');
  const [note] = stored();
  expect(note).toMatchObject({ ...range, well: 5001, along: 'time', text: '<b>stuck</b>\npipe' });

  await press(startingLike(w.edit('')));
  const change = await dialog(w.change);
  await fill(w.to('UTC'), '2000-01-01 00:00', change);
  await press(w.save, change);
  expect(await within(change).findByText(w.backwards)).toBeVisible();
  await fill(w.to('UTC'), 'now-1h', change);
  await press(w.save, change);
  expect(await within(change).findByText(w.badTime)).toBeVisible();
  await fill(w.to('UTC'), '', change);
  await fill(w.text, 'pipe freed', change);
  await press(w.save, change);
  await within(await dialog(w.heading)).findByText('pipe freed');
  expect(stored()).toMatchObject([{ id: note?.id, from: range.from, to: null, text: 'pipe freed' }]);

  await press(startingLike(w.remove('')));
  await expect.poll(stored).toEqual([]);
  await press(w.undo);
  await within(await dialog(w.heading)).findByText('pipe freed');
  expect(stored()).toMatchObject([{ id: note?.id, text: 'pipe freed' }]);
});

it('a note belongs to one of the wells of a connection, and is listed with it', async () => {
  const wells = [...ofRidge, { id: '5005', name: cottonwood }];
  const { press, fill, select, user, stored, application, connection, call } = await openNotes(wells);
  const put = (id: string, well: number, to: string) =>
    application.client.notes.put({
      connection: to,
      note: wellNote.parse({
        id,
        well,
        along: 'time',
        from: 0,
        to: 4e12,
        unit: null,
        changedAt: 1,
        text: id,
      }),
    });
  // A well that isn't in the plot, and another connection with a well of the same id.
  await put('absent', 5002, connection);
  await put('foreign', 5001, 'another');
  call.call();
  const form = await dialog(w.new);
  await select(including(ridge), cottonwood, form);
  await fill(w.text, 'motor stalled', form);
  await press(w.save, form);
  const list = await dialog(w.heading);
  await within(list).findByText('motor stalled');
  expect(list).toHaveTextContent(cottonwood);
  expect(list).not.toHaveTextContent(/absent|foreign/);
  expect(stored().map(({ id, well }) => [id === 'absent', well])).toEqual([
    [true, 5002],
    [false, 5005],
  ]);
  await user.keyboard('{Escape}');
  await press(words.wells.details(cottonwood));
  expect(await screen.findByRole('dialog')).toHaveTextContent(
    `${w.times('2026-11-20 20:15:00', '21:40:00')} UTC motor stalled`,
  );
  await user.keyboard('{Escape}');
  await press(words.wells.details(ridge));
  await screen.findByRole('dialog');
  expect(screen.queryByRole('list', { name: w.of(ridge) })).toBeNull();
});

it('a note that can’t be stored stays in the form, with the reason', async () => {
  const { press, fill, stored, session, application, connection } = await openNotes(ofRidge);
  const { notes } = session();
  const { put } = notes;
  const full = new AppError('disk_full', { file: 'notes.json', writtenBytes: 0 });
  Object.assign(notes, { put: () => Promise.reject(full) });
  await press(w.button(0));
  await press(w.add);
  const form = await dialog(w.new);
  await press(w.save, form);
  expect(await within(form).findByText(w.noText)).toBeVisible();
  const text = await fill(w.text, 'hard stringer', form);
  await press(w.save, form);
  expect(await within(form).findByRole('alert')).toHaveTextContent(full.message);
  expect(text).toHaveValue('hard stringer');
  expect(stored()).toEqual([]);
  Object.assign(notes, { put });
  await fill(w.text, 'hard stringer, 2 ft', form);
  await press(w.save, form);
  await within(await dialog(w.heading)).findByText('hard stringer, 2 ft');
  expect((await application.client.notes.list({ connection })).notes).toHaveLength(1);
});

it('notes on depths are listed from the top down, whatever their units', async () => {
  const { press, session } = await openNotes(ofRidge, { along: 'depth', unit: 'ft' });
  for (const [from, unit] of [
    [3000, 'm'],
    [7210, 'ft'],
    [12_000, 'ft'],
  ] as const) {
    const id = crypto.randomUUID();
    const about = { id, well: 5001, along: 'depth', to: null, text: `At ${from} ${unit}`, changedAt: 0 };
    await session().notes.put(wellNote.parse({ ...about, from, unit }));
  }
  await press(w.button(3));
  const list = await dialog(w.heading);
  const texts = within(list)
    .getAllByText(/^At /)
    .map(({ textContent }) => textContent);
  expect(texts).toEqual(['At 7210 ft', 'At 3000 m', 'At 12000 ft']);
});
