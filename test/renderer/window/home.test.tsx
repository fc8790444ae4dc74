import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { useServers } from '../../support/servers.ts';
import { findings } from './support/findings.ts';
import { openConnected, openDemo } from './support/open-window.tsx';
import { openTabs } from './support/tabs.ts';

const servers = useServers();
const w = words.home;
const depth = /Depth[\d,.]+ ft/;
const section = () => screen.findByRole('region', { name: w.active });
const card = async (well: string) => {
  const open = await within(await section()).findByRole('button', { name: w.card(well) });
  const item = open.closest('li') ?? document.body;
  await expect.poll(() => item.textContent).toContain(w.depth);
  return { open, item };
};

it('shows the active wells with what their newest records say, and opens them by the keyboard', async () => {
  const { user, application } = await openConnected();
  const { item } = await card('Cottonwood A-105H');
  await expect.poll(() => item.textContent).toMatch(depth);
  expect(item).toHaveTextContent(/ROP[\d,.]+ ft\/h/);
  // A rate in meters per second isn't cut to the decimals of a depth.
  await application.client.settings.change({ set: { units: 'si' } });
  await expect.poll(() => item.textContent).toMatch(/ROP0\.\d{4,} m\/s/);
  const { open, item: second } = await card('Ridge A-101H');
  expect(second).toHaveTextContent(new RegExp(`${w.state}\\w+`));
  expect(open).toHaveAccessibleDescription(expect.stringContaining(w.age));
  expect(await findings()).toEqual([]);
  open.focus();
  await user.keyboard('{Enter}');
  await expect
    .poll(() => openTabs().map(({ textContent }) => textContent))
    .toEqual([expect.stringContaining('WITS · Ridge A-101H')]);
});

it('follows a well live', async () => {
  const { press } = await openConnected();
  await card('Ridge A-101H');
  await press(w.follow('Ridge A-101H'));
  await screen.findByRole('region', { name: words.live.region });
});

it('doesn’t say that wells have no data if the list of datasets can’t be loaded', async () => {
  let isAdded = false;
  const { url } = await servers.http((_seen, response) => {
    if (isAdded) return void response.writeHead(404).end();
    isAdded = true;
    return [];
  });
  const { press } = await openConnected(undefined, { dataUrl: url });
  const home = await section();
  await expect.poll(() => home.textContent).toContain(w.notAnswered);
  expect(home).not.toHaveTextContent(w.noRecord);
  expect(home).not.toHaveTextContent(w.noDatasets);
  await press(words.wells.details('Ridge A-101H'));
  const details = await screen.findByRole('region', { name: words.wells.data.heading('Ridge A-101H') });
  await within(details).findByRole('alert');
  expect(details).not.toHaveTextContent(words.wells.data.found(0));
});

it('says why it can’t read, and keeps the last values', async () => {
  const demo = await openDemo();
  await openConnected(demo);
  const { item } = await card('Ridge A-101H');
  await expect.poll(() => item.textContent).toMatch(depth);
  await demo.close();
  document.dispatchEvent(new Event('visibilitychange'));
  await within(await section()).findByRole('button', { name: words.tryAgain });
  expect(item).toHaveTextContent(depth);
  expect(await findings()).toEqual([]);
});
