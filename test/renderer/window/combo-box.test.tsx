import { screen } from '@testing-library/dom';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { EditableCell } from '../../../src/renderer/features/upload/columns/column-cells.tsx';
import { ComboBox, type ComboBoxProps } from '../../../src/renderer/ui/combo-box.tsx';
import { startingLike } from '../../support/wording.ts';
import { cleanups } from './support/cleanups.ts';

const wells = ['Ridge A-101H', 'Ridge B-102H', 'Cottonwood A-105H', 'Pad 7 '].map((text) => ({
  id: text,
  text,
}));

function Wells({ allowsCustom, onSelect }: Pick<ComboBoxProps, 'allowsCustom' | 'onSelect'>) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <ComboBox
      label="Wells to find"
      value={value}
      text={value ?? ''}
      find={(typed) => wells.filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase()))}
      allowsCustom={allowsCustom ?? false}
      onSelect={(next) => {
        onSelect(next);
        setValue(next);
      }}
    />
  );
}

/** A combo box of wells, with the focus in it. */
async function open(allowsCustom: boolean) {
  const onSelect = vi.fn<(value: string) => void>();
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  cleanups.push(async () => {
    root.unmount();
    place.remove();
  });
  root.render(<Wells allowsCustom={allowsCustom} onSelect={onSelect} />);
  const user = userEvent.setup();
  const box = await screen.findByRole('combobox', { name: 'Wells to find' });
  await user.click(box);
  return { box, onSelect, user };
}

it('Enter selects the only option that the typed text leaves, and closes the list', async () => {
  const { box, onSelect, user } = await open(false);
  await user.keyboard('cotton{Enter}');
  expect(onSelect.mock.calls).toEqual([['Cottonwood A-105H']]);
  await expect.poll(() => box.getAttribute('aria-expanded')).toBe('false');
});

it('Enter selects nothing while several options match', async () => {
  const { onSelect, user } = await open(false);
  await user.keyboard('ridge{Enter}');
  expect(onSelect).not.toHaveBeenCalled();
});

it('Enter takes another text where that is allowed, and closes the list', async () => {
  const { box, onSelect, user } = await open(true);
  await user.keyboard('5077{Enter}');
  expect(onSelect.mock.calls).toEqual([['5077']]);
  await expect.poll(() => box.getAttribute('aria-expanded')).toBe('false');
});

it('takes an option with the blanks around it, where another text is allowed', async () => {
  const { onSelect, user } = await open(true);
  await user.keyboard('pad');
  await user.click(await screen.findByRole('option', { name: 'Pad 7' }));
  await user.tab();
  expect(onSelect.mock.calls).toEqual([['Pad 7 ']]);
});

it('takes the option that a text is without the blanks around it', async () => {
  const { onSelect, user } = await open(true);
  await user.keyboard('Pad 7{Enter}');
  await user.tab();
  expect(onSelect.mock.calls).toEqual([['Pad 7 ']]);
});

it('Tab takes the text of a cell and goes to the next one, with the focus', async () => {
  const labels = ['Channel 1', 'Channel 2'] as const;
  const taken: string[] = [];
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  cleanups.push(async () => {
    root.unmount();
    place.remove();
  });
  const cell = (label: string) => (
    <EditableCell
      label={label}
      value=""
      text={label}
      find={() => wells}
      allowsCustom
      onSelect={(value) => taken.push(`${label} ${value}`)}
    />
  );
  root.render(
    <>
      {cell(labels[0])}
      {cell(labels[1])}
    </>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: startingLike(labels[0]) }));
  const box = await screen.findByRole('combobox');
  await user.clear(box);
  await user.type(box, '5077');
  await user.tab();
  expect(taken).toEqual([`${labels[0]} 5077`]);
  const next = await screen.findByRole('button', { name: startingLike(labels[1]) });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(next).toHaveFocus();
});
