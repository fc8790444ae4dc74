import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openWindow, waitForWells, type TestWindow } from './support/open-window.tsx';
import { uploadIn } from './support/upload.ts';

const w = words.tour;
const atStep = (step: number): RegExp => startingLike(w.at(step, 6));
const tour = () => screen.findByRole('complementary', { name: w.region });
const expectClosed = () =>
  expect.poll(() => screen.queryByRole('complementary', { name: w.region })).toBeNull();
/** Opens the sample workspace as a new user. */
async function openSample(): Promise<TestWindow> {
  const opened = await openWindow(undefined, { isNew: true });
  await opened.press(words.start.openSample);
  await waitForWells(8);
  return opened;
}
/** The step that the frame and the bubble point at; null: none. */
const pointed = () => {
  const step = document.documentElement.dataset['tourStep'];
  return step !== undefined && document.querySelector(`[data-tour=${step}]`) ? step : null;
};
const status = async () => within(await tour()).getByRole('status');

it('continues with the user’s actions, and after a reload', async () => {
  const opened = await openSample();
  const { user, press, openDataset, answer, reload, tick } = opened;
  const [well] = await waitForWells(8);
  await expect.poll(status).toHaveTextContent(w.offer);
  expect(await findings()).toEqual([]);
  (await within(await tour()).findByRole('button', { name: w.start })).focus();
  await user.keyboard('{Enter}');
  await expect.poll(async () => within(await tour()).getByRole('button', { name: w.leave })).toHaveFocus();

  await expect.poll(status).toHaveTextContent(atStep(1));
  expect(pointed()).toBe('well');
  await user.click(well ?? document.body);
  await expect.poll(status).toHaveTextContent(atStep(2));
  expect(pointed()).toBe('dataset');
  await openDataset('demo/wits');
  await expect.poll(status).toHaveTextContent(atStep(3));
  expect(pointed()).toBe('run');
  await press(words.query.run);
  await within(await answer()).findAllByRole('gridcell');
  await expect.poll(status).toHaveTextContent(atStep(4));
  expect(pointed()).toBe('plot');
  expect(await findings()).toEqual([]);

  await reload();
  await expect.poll(status).toHaveTextContent(atStep(4));
  await press(words.query.run);
  await within(await answer()).findAllByRole('gridcell');
  await tick(words.results.views.plot);
  await expect.poll(status).toHaveTextContent(atStep(5));
  expect(pointed()).toBe('export');
  await press(words.query.export);
  await press(words.export.start);
  await expect.poll(status).toHaveTextContent(atStep(6));
  expect(pointed()).toBe('upload');

  const upload = uploadIn(opened);
  await upload.open('demo/uploads.time');
  await press(w.takeSample, await tour());
  await expect.poll(status).toHaveTextContent(w.sendFile);
  await upload.next('columns');
  await upload.next('check');
  await upload.send();
  await expect.poll(status).toHaveTextContent(w.done);
  expect(pointed()).toBeNull();
  (await within(await tour()).findByRole('button', { name: w.close })).focus();
  await user.keyboard('{Enter}');
  await expectClosed();
  expect(document.activeElement).not.toBe(document.body);
});

it('is closed for good, and can be restarted', async () => {
  const { user, press, reload } = await openSample();
  await press(w.decline, await tour());
  await expectClosed();
  await reload();
  await waitForWells(8);
  expect(screen.queryByRole('complementary', { name: w.region })).toBeNull();
  await user.keyboard('{Control>}k{/Control}');
  await expect.poll(() => screen.findByRole('searchbox', { name: words.commands.search })).toHaveFocus();
  await user.keyboard(words.commands.titles.tour);
  await expect
    .poll(() => screen.findByRole('menuitem', { name: startingLike(words.commands.titles.tour) }))
    .toHaveAttribute('data-focused');
  await user.keyboard('{Enter}');
  await expect.poll(status).toHaveTextContent(atStep(1));
  await press(w.leave, await tour());
  await expectClosed();
});
