import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { any, like } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openConnected } from './support/open-window.tsx';

const w = words.jobs;
const jobs = () => screen.findByRole('contentinfo', { name: w.region });
const job = (file: string) => screen.queryByRole('listitem', { name: `${w.kinds.export} ${file}` });

it('lists jobs, the newest first; an export is canceled, resumed, and discarded', async () => {
  const { press, fill, tick, user, demo, openDataset, takeItem } = await openConnected();
  const toggle = await within(await jobs()).findByRole('button', { name: new RegExp(`^${w.toggle}`) });
  await user.click(toggle);
  await screen.findByText(w.none);
  await user.click(toggle);
  await openDataset('demo/wits');
  const exportAs = async (name: string) => {
    await press(words.query.export);
    const dialog = await screen.findByRole('dialog');
    await tick(words.export.uses.pandas, dialog);
    await fill(words.export.fileName, name, dialog);
    await press(words.export.start, dialog);
  };
  await exportAs('older.csv');
  // The job bar shows finished jobs, with their files; the list stays collapsed.
  await expect.poll(() => job('older.csv')).toHaveTextContent(w.states.done);
  await within(await jobs()).findByRole('link', { name: w.download('older.csv') });
  expect(toggle).toHaveAttribute('aria-expanded', 'false');
  // So slow that the first page takes minutes.
  demo.faults.bandwidth = 2000;
  await exportAs('slow.csv');
  await expect.poll(jobs).toHaveTextContent(w.summary(1, 0, 2));
  within(job('slow.csv') ?? document.body).getByRole('progressbar');
  await user.click(toggle);
  await expect.poll(() => job('slow.csv')).toHaveTextContent(w.states.running);
  expect(job('older.csv')).toHaveTextContent('Test bed');
  const [newest] = within(await jobs()).getAllByRole('listitem', { name: like(`${w.kinds.export} ${any}`) });
  expect(newest).toBe(job('slow.csv'));
  expect(await findings()).toEqual([]);

  // By the context menu, as by its buttons.
  await user.pointer({ target: newest ?? document.body, keys: '[MouseRight]' });
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    w.pause,
    words.cancel,
  ]);
  await takeItem(words.cancel);
  await expect.poll(() => job('slow.csv')).toHaveTextContent(w.states.cancelled);
  expect(within(job('slow.csv') ?? document.body).queryByRole('link')).toBeNull();
  demo.faults.bandwidth = 0;
  await press(w.resumeNamed('slow.csv'));
  await expect.poll(() => job('slow.csv')).toHaveTextContent(w.states.done);
  await press(w.discardNamed('slow.csv'));
  await press(w.discard, await screen.findByRole('dialog', { name: w.discardNamed('slow.csv') }));
  await expect.poll(() => job('slow.csv')).toBeNull();
  await expect.poll(() => toggle).toHaveTextContent(w.summary(0, 0, 1));
  await press(w.clear);
  await press(w.clear, await screen.findByRole('dialog', { name: w.clear }));
  await screen.findByText(w.none);
});
