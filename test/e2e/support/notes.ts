import type { Page } from '@playwright/test';
import { notesWords as w } from '../../../src/renderer/words/notes.ts';
import { plotWords } from '../../../src/renderer/words/plot.ts';
import { including } from '../../support/wording.ts';
import { findings } from './findings.ts';
import { expect } from './fixtures.ts';

/** The plot in view. */
export const plot = (page: Page) => page.getByRole('region', { name: plotWords.region, exact: true });

/** Adds a note on the range in view, or on another one. */
export async function addNote(
  page: Page,
  text: string,
  range: { from?: string; to?: string } = {},
): Promise<void> {
  await plot(page)
    .getByRole('button', { name: including(w.heading) })
    .click();
  await page.getByRole('button', { name: w.add }).click();
  const form = page.getByRole('dialog', { name: w.new });
  if (range.from !== undefined) await form.getByLabel(including(w.from(null))).fill(range.from);
  if (range.to !== undefined)
    await form
      .getByLabel(including(w.to(null)))
      .first()
      .fill(range.to);
  await form.getByLabel(w.text).fill(text);
  expect(await findings(page, [], '.popup')).toEqual([]);
  await form.getByRole('button', { name: w.save }).click();
  await expect(page.getByRole('dialog', { name: w.heading })).toContainText(text);
  expect(await findings(page, [], '.popup')).toEqual([]);
  await page.keyboard.press('Escape');
}
