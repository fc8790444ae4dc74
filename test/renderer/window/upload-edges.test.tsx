import { within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { openUpload } from './support/upload.ts';

const { edges, file, source } = uploadWords;

const lines = [
  'Well   MD    Inc',
  ...Array.from({ length: 12 }, (_, n) => `A-1${n % 10}   ${100 + n}   ${n % 10}.5`),
];

it('moves, adds, and removes the edges of columns by keyboard, undoes it, and detects them again', async () => {
  const { upload, user, tab } = await openUpload('Ridge A-101H');
  await upload.hand('wells.txt', `${lines.join('\n')}\n`);
  await upload.text(source.formats.text);
  await upload.text(file.rowsAndColumns(12, 3));
  const positions = async () =>
    within(await tab())
      .queryAllByRole('slider')
      .map((edge) => Number(edge.getAttribute('aria-valuenow')));
  const edge = async (number: number) =>
    within(await tab()).findByRole('slider', { name: edges.edge(number) });
  const heading = async (name: string) => within(await tab()).findByRole('columnheader', { name });
  expect(await positions()).toEqual([7, 13]);
  await upload.rawLine(1);

  (await edge(1)).focus();
  await user.keyboard('{ArrowLeft>4/}');
  expect(await positions()).toEqual([3, 13]);
  await heading('Wel');
  await heading('l MD');
  expect(await edge(1)).toHaveFocus();

  await user.keyboard('{Delete}');
  await upload.text(file.rowsAndColumns(12, 2));
  expect(await edge(1)).toHaveFocus();
  await user.keyboard('{Enter}');
  await upload.text(file.rowsAndColumns(12, 3));
  expect(await positions()).toEqual([13, 21]);
  expect(await edge(2)).toHaveFocus();

  await user.keyboard('{Control>}z{/Control}');
  await upload.text(file.rowsAndColumns(12, 2));
  await upload.press(words.undo);
  await upload.text(file.rowsAndColumns(12, 3));
  expect(await positions()).toEqual([3, 13]);
  await upload.press(edges.reset);
  await heading('Well');
  expect(await positions()).toEqual([7, 13]);
});
