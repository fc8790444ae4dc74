import { screen } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { ListField } from '../../../src/renderer/ui/list-field.tsx';
import { words } from '../../../src/renderer/words/words.ts';
import { cleanups } from './support/cleanups.ts';

const note = 'Of wells.';

function Names() {
  const [value, setValue] = useState('');
  return <ListField label="Names to find" name="names" value={value} onChange={setValue} note={note} />;
}

/** A field for a list, with the focus in it. */
async function open() {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  cleanups.push(async () => {
    root.unmount();
    place.remove();
  });
  root.render(<Names />);
  const user = userEvent.setup();
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Names to find' });
  await user.click(field);
  return { field, user };
}

it('a column is pasted as a list between what is there, and its values are counted', async () => {
  const { field, user } = await open();
  await user.keyboard('A 1, B 2, ');
  field.setSelectionRange(5, 8);
  await user.paste('Smith, A #1\r\n"the ""Big"" one"\r\n0012\r\n');
  expect(field).toHaveDisplayValue('A 1, "Smith, A #1", the "Big" one, 0012');
  expect(field).toHaveAccessibleDescription(`${note} ${words.list.values(4)}`);
  expect(await screen.findByRole('status')).toHaveTextContent(words.list.values(4));
});

it('a row is pasted as a list; a single value as it is, without a count', async () => {
  const { field, user } = await open();
  await user.paste("O'Brien #1");
  expect(field).toHaveDisplayValue("O'Brien #1");
  expect(field).toHaveAccessibleDescription(note);
  await user.clear(field);
  await user.paste('A\tB');
  expect(field).toHaveDisplayValue('A, B');
});
