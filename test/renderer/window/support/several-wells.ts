import { screen, within } from '@testing-library/dom';
import { calculatedWords } from '../../../../src/renderer/words/results.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { openConnected, waitForWells, type TestWindow } from './open-window.tsx';

/** Opens the window with a query of drilling data of two wells. */
export async function openSeveralWells(
  names: readonly RegExp[] = [/^Ridge A-101H/, /^Cottonwood A-105H/],
): Promise<TestWindow> {
  const opened = await openConnected();
  await waitForWells(8);
  for (const name of names) await opened.user.click(await screen.findByRole('row', { name }));
  await opened.openDataset('demo/wits');
  return opened;
}

/** The cells of a column, from top to bottom. */
export async function cellsOf({ answer }: TestWindow, column: string): Promise<string[]> {
  const cells = await within(await answer()).findAllByRole('gridcell');
  return cells.filter((cell) => cell.getAttribute('col-id') === column).map(({ textContent }) => textContent);
}

interface Drilling {
  readonly rop: number;
  readonly weight_on_bit: number;
  readonly state: string;
}

/** The drilling data of a well, from the service itself. */
export async function drillingOf({ demo }: TestWindow, well: number): Promise<Drilling[]> {
  const query = new URLSearchParams({
    query: JSON.stringify({ asset_id: well }),
    sort: '{"timestamp":1}',
    limit: '10000',
  });
  const answer = await fetch(`${demo.dataUrl}/api/v1/data/demo/wits/?${query}`, {
    headers: { Authorization: `API ${demo.apiKeys.write}` },
  });
  const records = (await answer.json()) as { data: Drilling }[];
  return records.map(({ data }) => data);
}

/** Adds a calculated column to a result, from the menu of another one. */
export async function addColumn(
  { answer, pickOn, press, user }: TestWindow,
  name: string,
  expression: string,
): Promise<void> {
  const head = await within(await answer()).findByRole('columnheader', { name: /^rop/ });
  await pickOn(head, words.results.menu.calculate);
  const form = await screen.findByRole('dialog', { name: calculatedWords.add });
  for (const [label, text] of [
    [calculatedWords.expression, expression],
    [calculatedWords.name, name],
  ] as const) {
    const field = within(form).getByLabelText(label);
    await user.clear(field);
    await user.paste(text);
  }
  await press(calculatedWords.addColumn, form);
  await within(await answer()).findByRole('columnheader', { name: new RegExp(`^${name}`) });
}
