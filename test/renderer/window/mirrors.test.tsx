import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { findings } from './support/findings.ts';
import { openConnected } from './support/open-window.tsx';

const w = words.mirrors;
const dialog = () => screen.findByRole('dialog', { name: w.heading });
const records = 344;
const row = async () => within(await dialog()).findByRole('listitem', { name: 'mudlog3' });

it('mirrors a dataset to a folder, updates it, and opens it in SQL', async () => {
  const { press, fill, select, demo, user, answer } = await openConnected();
  await press(words.datasets.about('demo/wits'));
  await press(w.openForm);
  const form = within(await dialog()).getByRole('form', { name: w.formLabel('demo/wits') });
  expect(await findings('region')).toEqual([]);
  await fill(w.folderName, '', form);
  await within(form).findByText(w.folderMissing);
  await fill(w.folderName, 'mudlog3', form);
  await select(new RegExp(w.files), w.periods.month, form);
  await press(w.start, form);
  await expect.poll(row).toHaveTextContent(w.rows(records));
  expect(within(await dialog()).queryByRole('form')).toBeNull();
  expect(await findings('region')).toEqual([]);

  const stored = await fetch(`${demo.dataUrl}/api/v1/data/demo/wits/`, {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: JSON.stringify([{ version: 1, asset_id: 5001, timestamp: Date.now(), data: { rop: 20 } }]),
  });
  expect(stored.status).toBe(200);
  await press(w.updateNamed('mudlog3'));
  await expect.poll(row).toHaveTextContent(w.rows(records + 1));
  await expect.poll(row).toHaveTextContent(w.verified);

  await press(w.openNamed('mudlog3'));
  await expect.poll(() => screen.queryByRole('dialog', { name: w.heading })).toBeNull();
  await within(await answer()).findAllByRole('gridcell');
  await screen.findByText('mudlog3');

  // The command palette works anywhere.
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await screen.findByRole('menuitem', { name: words.commands.titles.mirrors }));
  await row();
  await press(w.removeNamed('mudlog3'));
  await within(await dialog()).findByText(w.none);
});

it('shows that a mirror is verified, and records without a plausible time', async () => {
  const { press, fill, demo } = await openConnected();
  demo.change('demo/wits', {
    insert: [5001, 5002].map((asset_id) => ({ company_id: 1, asset_id, version: 1, data: { rop: 20 } })),
  });
  await press(words.datasets.about('demo/wits'));
  await press(w.openForm);
  await fill(w.folderName, 'mudlog3');
  await press(w.start);
  await expect.poll(row).toHaveTextContent(/2 records have no time/);
  expect(await row()).toHaveTextContent(w.verified);
  expect(await row()).not.toHaveTextContent(w.unverified);
});

it('reports why a run ended, and resumes it', async () => {
  const { press, fill, demo } = await openConnected();
  await press(words.datasets.about('demo/wits'));
  await press(w.openForm);
  await fill(w.folderName, 'mudlog3');
  demo.faults.bandwidth = 20_000;
  await press(w.start);
  await expect.poll(row).toHaveTextContent(w.incomplete);
  await within(await row()).findByRole('progressbar');
  expect(within(await row()).getByRole('button', { name: w.updateNamed('mudlog3') })).toBeDisabled();
  await press(words.jobs.cancel('mudlog3'), await row());
  await expect.poll(row).toHaveTextContent(words.jobs.states.cancelled);
  demo.faults.bandwidth = 0;
  await press(words.jobs.resumeNamed('mudlog3'), await row());
  await expect.poll(row).toHaveTextContent(w.rows(records));
});
