import { screen, within } from '@testing-library/dom';
import { openConnected, waitForWells, type TestWindow } from './open-window.tsx';

/** Opens the window with a query of drilling data of two wells. */
export async function openSeveralWells(): Promise<TestWindow> {
  const opened = await openConnected();
  await waitForWells(8);
  for (const name of [/^Ridge A-101H/, /^Cottonwood A-105H/])
    await opened.user.click(await screen.findByRole('row', { name }));
  await opened.openDataset('demo/wits');
  return opened;
}

/** The cells of a column, from top to bottom. */
export async function cellsOf({ answer }: TestWindow, column: string): Promise<string[]> {
  const cells = await within(await answer()).findAllByRole('gridcell');
  return cells.filter((cell) => cell.getAttribute('col-id') === column).map(({ textContent }) => textContent);
}
