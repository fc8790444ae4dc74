import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { words } from '../../../src/renderer/words/words.ts';
import { describePlace } from '../../../src/shared/errors/sentences.ts';
import { any, anyCount, including, like, startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import {
  addressOf,
  openConnected,
  openWindow,
  waitForWells,
  type TestWindow,
} from './support/open-window.tsx';
import { firstSentence } from './support/first-sentence.ts';

const w = words.query;

/** Opens the window with a query of a dataset. */
async function openQuery(): Promise<TestWindow> {
  const opened = await openConnected();
  await opened.openDataset('demo/wits');
  return opened;
}
const alertIn = async (part: Promise<HTMLElement>) => within(await part).findByRole('alert');
const cells = async ({ answer }: TestWindow) => within(await answer()).findAllByRole('gridcell');
const bar = async ({ tab }: TestWindow) => within(await tab()).findByRole('region', { name: w.region });
const jobs = () => screen.findByRole('contentinfo', { name: words.jobs.region });

it('names a host that can’t be reached, cancels its list, and requests the other one', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  const opened = await openWindow();
  const { press, fill, demo, openDataset } = opened;
  const { dataUrl, apiKey } = addressOf(demo);
  await fill(words.connection.name, 'Test bed');
  await fill(words.connection.dataUrl, dataUrl);
  await fill(words.connection.platformUrl, `http://${host}`);
  await fill(words.connection.apiKey, apiKey);
  await press(words.connection.connect);
  await expect
    .poll(() => screen.findByRole('alert'))
    .toHaveTextContent(firstSentence('unreachable', { service: 'platform', host, reason: 'refused' }));
  await press(words.connection.saveAnyway);
  const wells = await screen.findByRole('tabpanel', { name: words.wells.heading });
  await press(words.cancel, wells);
  await within(wells).findByRole('button', { name: words.wells.load });
  await openDataset('demo/wits');
  await press(w.run);
  await cells(opened);
});

it('marks an error in JSON at its position, and sends nothing', async () => {
  const opened = await openQuery();
  const { press, typeQuery, user, answer } = opened;
  const field = await typeQuery('{\n  asset_id: { $in: [5001, 5002 }\n}');
  const line = describePlace({ field: 'query', line: 2 });
  await user.type(field, '{Control>}{Enter}{/Control}');
  await expect.poll(() => alertIn(answer())).toHaveTextContent(line);
  await expect.poll(() => field).toHaveAccessibleErrorMessage();
  expect(within(await answer()).queryByRole('button', { name: words.tryAgain })).toBeNull();
  await press(w.count);
  // That of the run and that of the count.
  const alerts = async () =>
    within(await answer())
      .getAllByRole('alert')
      .filter(({ textContent }) => textContent.includes(describePlace({ line: 2 })));
  await expect.poll(async () => (await alerts()).length).toBe(2);
  await press(w.export);
  await press(words.export.start);
  await expect.poll(() => alertIn(screen.findByRole('dialog'))).toHaveTextContent(describePlace({ line: 2 }));
  await user.keyboard('{Escape}');
  await typeQuery('{}');
  await expect.poll(() => field).not.toHaveAccessibleErrorMessage();
  await press(w.run);
  await cells(opened);
});

it('shows the allowed values of limit and skip, and requests some fields, from the sixth record on', async () => {
  const opened = await openQuery();
  const { press, fill, user, answer } = opened;
  const limit = await fill(w.limit, '10001');
  const skip = await fill(w.skip, 'some');
  await press(w.run);
  await expect.poll(() => limit).toHaveAccessibleDescription(words.settings.ranges.limit);
  expect(skip).toHaveAccessibleDescription(w.wholeNumber);
  await fill(w.limit, '10');
  expect(limit).toBeValid();

  await fill(w.fields, 'data.rop, timestamp');
  await fill(w.skip, '5');
  await user.type(await fill(w.limit, '3'), '{Enter}');
  await within(await answer()).findByText(words.results.records(3));
  const heads = await within(await answer()).findAllByRole('columnheader');
  const names = heads.map(({ textContent }) => textContent);
  expect(names.some((name) => name.includes('rop'))).toBe(true);
  expect(names.some((name) => name.includes('hook_load'))).toBe(false);
});

it('shows a rejection with the service’s message, and retries; a busy service is retried, with when', async () => {
  const opened = await openQuery();
  const { press, demo, answer } = opened;
  demo.faults.require_scope = true;
  await press(w.run);
  await expect
    .poll(() => alertIn(answer()))
    .toHaveTextContent(firstSentence('refused', { service: 'data', status: 400 }));
  demo.faults.require_scope = false;
  await press(words.tryAgain, await answer());
  await cells(opened);

  Object.assign(demo.faults, { rate_429: 1, retry_after: 1, fault_times: 1 });
  await press(w.run);
  const waits = `${words.jobs.services.data}: `;
  await expect.poll(jobs).toHaveTextContent(waits);
  await expect.poll(jobs).not.toHaveTextContent(waits);
  await cells(opened);
});

it('cancels a slow query, and a count', async () => {
  const opened = await openQuery();
  const { press, demo, answer } = opened;
  demo.faults.latency_ms = 60_000;
  await press(w.run);
  await within(await answer()).findByText(words.results.running('WITS'));
  expect(await findings()).toEqual([]);
  await press(words.cancel, await bar(opened));
  await within(await answer()).findByText(words.results.cancelled);
  expect(await screen.findByRole('button', { name: w.run })).toHaveFocus();
  await press(w.count);
  await screen.findByText(w.counting);
  await press(words.cancel, await bar(opened));
  await expect.poll(() => screen.queryByText(w.counting)).toBeNull();
  demo.faults.latency_ms = 0;
  await press(w.run);
  await cells(opened);
});

it('keeps the table of both wells while the next run lasts, is canceled, or fails, with the time that it is from', async () => {
  const opened = await openConnected();
  await waitForWells(8);
  for (const name of [/^Ridge A-101H/, /^Cottonwood A-105H/])
    await opened.user.click(await screen.findByRole('row', { name }));
  await opened.openDataset('demo/wits');
  const { press, demo, answer, fill, user, typeQuery } = opened;
  await fill(w.limit, '20');
  await press(w.run);
  const texts = async () => (await cells(opened)).map(({ textContent }) => textContent);
  // Digits are grouped once the fields of the dataset are known.
  await expect.poll(texts).toContainEqual(expect.stringMatching(/^\d,\d{3}$/));
  const before = await texts();
  const results = within(await answer());
  const isFrom = including(words.results.kept(any));

  demo.faults.latency_ms = 60_000;
  await press(w.run);
  await results.findByText(words.results.running('WITS'));
  expect(await texts()).toEqual(before);
  expect(await findings()).toEqual([]);
  await press(words.cancel, await bar(opened));
  expect(await results.findByText(isFrom)).toHaveTextContent(words.results.cancelled);
  expect(await texts()).toEqual(before);

  Object.assign(demo.faults, { latency_ms: 0, require_scope: true });
  await fill(w.limit, '5');
  await typeQuery('{}');
  await press(w.run);
  const alert = await alertIn(answer());
  expect(alert).toHaveTextContent(firstSentence('refused', { service: 'data', status: 400 }));
  expect(alert).toHaveTextContent(isFrom);
  expect(await texts()).toEqual(before);
  // The table can be used as before.
  await user.click((await cells(opened))[0] as HTMLElement);
  await user.keyboard('{Enter}');
  await screen.findByRole('region', { name: words.record.region });

  demo.faults.require_scope = false;
  await press(words.tryAgain, alert);
  await expect.poll(() => results.queryByText(isFrom)).toBeNull();
  await expect.poll(async () => (await texts()).length).toBeLessThan(before.length);
});

it('shows the next step for an empty result: the latest record of the wells if only the range has none, and the records before it', async () => {
  const { press, typeQuery, answer, query } = await openQuery();
  await typeQuery('{ asset_id: 5005, timestamp: { $lt: {{now-30y}} } }');
  await press(w.run);
  const result = within(await answer());
  await result.findByText(startingLike(words.results.noneInRange));
  await press(w.latest.showTime);
  await result.findAllByRole('gridcell');
  expect(await query()).toMatch(
    /^\{ asset_id: 5005, timestamp: \{ \$gte: ISODate\(".*"\), \$lt: ISODate\(".*"\) \} \}$/,
  );
  // When other conditions match nothing, the range isn't the cause.
  await typeQuery('{ asset_id: 1, timestamp: { $lt: {{now-30y}} } }');
  await press(w.run);
  await result.findByText(words.results.none);
});

it('exports all matches by the query of the result, even if the editor has changed since', async () => {
  const opened = await openQuery();
  const { press, fill, typeQuery, tab, pick } = opened;
  await typeQuery('{}');
  await fill(w.limit, '50');
  await press(w.run);
  await cells(opened);
  await press(w.count);
  const counted = await within(await tab()).findByText(like(words.query.counted(anyCount)));
  const matching = Number((/[\d,]+/.exec(counted.textContent ?? '')?.[0] ?? '').replaceAll(',', ''));
  await typeQuery('{ asset_id: 1 }');
  await pick(words.results.copying.label, words.results.copying.export);
  const dialog = await screen.findByRole('dialog');
  await fill(words.export.fileName, 'all.xlsx', dialog);
  await press(words.export.start, dialog);
  const job = await screen.findByRole('listitem', { name: `${words.jobs.kinds.export} all.xlsx` });
  await expect.poll(() => job).toHaveTextContent(words.jobs.rows(matching));
});
