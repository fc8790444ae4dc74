import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { any, startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { watchDownloads } from './support/downloads.ts';
import { openConnected, openDemo } from './support/open-window.tsx';
import { openUpload } from './support/upload.ts';

const w = words.quality;
const start = 1_700_000_000_000;
const second = 1000;

/** One record per second of a well, some of them missing, with a field that ends early. */
const records = Array.from({ length: 300 }, (_, n) => n)
  .filter((n) => n < 100 || n >= 160)
  .map((n) => ({
    version: 1,
    asset_id: 5001,
    timestamp: start + n * second,
    data: { rop: n === 30 || n === 230 ? -500 : 20 + Math.sin(n), ...(n < 200 ? { gas: -999.25 } : {}) },
  }));

const placeOf = (n: number): string =>
  new Date(start + n * second).toISOString().slice(0, 19).replace('T', ' ');

async function insert(
  demo: Awaited<ReturnType<typeof openDemo>>,
  inserted: readonly object[],
): Promise<void> {
  const stored = await fetch(`${demo.dataUrl}/api/v1/data/demo/wits/`, {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(inserted),
  });
  expect(stored.status).toBe(200);
}

it('doesn’t say that a well with an irregular step has no gaps', async () => {
  const demo = await openDemo();
  const irregular = [0, 1, 5, 18, 60, 200, 700, 36_700];
  const regular = Array.from({ length: 40 }, (_, n) => n);
  const placesOf = (asset: number, seconds: readonly number[]) =>
    seconds.map((n) => ({ version: 1, asset_id: asset, timestamp: start + n * second, data: { rop: 1 } }));
  await insert(demo, [...placesOf(5001, regular), ...placesOf(5002, irregular)]);
  const { press, typeQuery, openDataset, user } = await openConnected(demo);
  await openDataset('demo/wits');
  const range = `{ $gte: ${start}, $lte: ${start + 36_700 * second} }`;
  await typeQuery(`{ asset_id: { $in: [5001, 5002] }, timestamp: ${range}, 'data.rop': 1 }`);
  await press(words.query.run);
  await user.click(await screen.findByRole('radio', { name: words.results.views.quality }));
  const report = await screen.findByRole('region', { name: w.region });
  await within(report).findByText(w.gaps.irregular(1, 2, '10 h 0 min'));
  expect(report).not.toHaveTextContent(w.gaps.none);
  const table = within(report).getAllByRole('table').at(-1) ?? report;
  expect(within(table).getAllByRole('cell', { name: w.gaps.unknown })).toHaveLength(2);
});

it('shows gaps and fields of a result, and leads to the records', async () => {
  const demo = await openDemo();
  await insert(demo, records);
  const opened = await openConnected(demo);
  const { press, typeQuery, openDataset, user } = opened;
  await openDataset('demo/wits');
  await typeQuery(`{ asset_id: 5001, timestamp: { $gte: ${start}, $lt: ${start + 1000 * second} } }`);
  await press(words.query.run);
  await user.click(await screen.findByRole('radio', { name: words.results.views.quality }));
  const report = await screen.findByRole('region', { name: w.region });
  await within(report).findByText(w.facts.gapsText(1, 60));
  const downloads = watchDownloads();
  const gap = await within(report).findByRole('row', { name: new RegExp(placeOf(160)) });
  expect(await within(gap).findByRole('cell', { name: '60' })).toBeVisible();
  const gas = await within(report).findByRole('row', { name: /^gas/ });
  expect(await within(gas).findByRole('cell', { name: '140' })).toBeVisible();

  // The chart as a table, and by keyboard.
  const chart = await within(report).findByRole('application');
  chart.focus();
  await user.keyboard('{ArrowRight}{ArrowDown}');
  expect(await within(report).findByText(startingLike(`rop, ${any} 100%`))).toBeVisible();
  await user.click(await within(report).findByRole('radio', { name: w.chart.views.table }));
  const missing = within(report).getAllByRole('row', { name: /^rop/ })[0];
  expect(missing).toHaveTextContent(w.chart.to);
  expect(await findings()).toEqual([]);

  // The shares as a file: whole before the gap, and none in it.
  await press(w.chart.csv, report);
  await expect.poll(() => downloads.length).toBe(1);
  expect(downloads[0]?.name).toMatch(/-quality\.csv$/);
  const [head, ...shares] = ((await downloads[0]?.content.text()) ?? '').trim().split('\r\n');
  expect(head).toBe([w.chart.from, w.chart.to, w.chart.records, 'data.rop', 'data.gas'].join(','));
  const sharesAt = (n: number) => {
    const at = start + n * second;
    const line = shares.find((each) => {
      const [from = '', to = ''] = each.split(',');
      return Date.parse(from) <= at && at < Date.parse(to);
    });
    return line?.split(',').slice(2);
  };
  expect([sharesAt(50), sharesAt(130)]).toEqual([
    ['100', '100', '0'],
    ['0', '0', '0'],
  ]);

  // All findings of a field are listed, and each leads to its record.
  const outside = w.fields.show(w.fields.outside, 'rop');
  await user.click(await within(report).findByRole('button', { name: `${outside}: 2` }));
  const list = await screen.findByRole('dialog', { name: outside });
  expect(
    within(list)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual([
    w.wells.well + w.fields.at + w.fields.value,
    `Ridge A-101H${placeOf(30)}-500`,
    `Ridge A-101H${placeOf(230)}-500`,
  ]);
  expect(await findings('region')).toEqual([]);
  await user.click(await within(list).findByRole('button', { name: w.gaps.show(placeOf(230)) }));
  const record = await screen.findByRole('region', { name: words.record.region });
  await within(record).findByRole('row', {
    name: new RegExp(`^timestamp.*(?:${placeOf(230)}|${start + 230 * second})`),
  });

  await user.click(await screen.findByRole('radio', { name: words.results.views.quality }));
  await user.click(await screen.findByRole('button', { name: w.gaps.show(placeOf(99)) }));
  await screen.findByRole('row', {
    name: new RegExp(`^timestamp.*(?:${placeOf(99)}|${start + 99 * second})`),
  });
});

it('leads to the record of the well that has the finding, and to its row', async () => {
  const demo = await openDemo();
  const second5002 = records.map((record, at) => ({
    ...record,
    asset_id: 5002,
    // Half a second beside the other well's records, and one value outside the limits.
    timestamp: record.timestamp + 400,
    data: { rop: at === 200 ? -900 : 25 + Math.cos(at) },
  }));
  await insert(demo, records);
  await insert(demo, second5002);
  const opened = await openConnected(demo);
  const { press, typeQuery, openDataset, user } = opened;
  await openDataset('demo/wits');
  await typeQuery(
    `{ asset_id: { $in: [5001, 5002] }, timestamp: { $gte: ${start}, $lt: ${start + 1000 * second} } }`,
  );
  await press(words.query.run);
  const outside = w.fields.show(w.fields.outside, 'rop');
  for (const [value, well, name] of [
    ['-900', '5002', 'Ridge B-102H'],
    ['-500', '5001', 'Ridge A-101H'],
  ] as const) {
    await user.click(await screen.findByRole('radio', { name: words.results.views.quality }));
    const report = await screen.findByRole('region', { name: w.region });
    await user.click(await within(report).findByRole('button', { name: `${outside}: 3` }));
    const list = await screen.findByRole('dialog', { name: outside });
    const finding = within(list)
      .getAllByRole('row')
      .find((row) => row.textContent?.endsWith(value) && row.textContent.startsWith(name));
    await user.click(within(finding ?? list).getByRole('button'));
    const record = await screen.findByRole('region', { name: words.record.region });
    await within(record).findByRole('row', { name: new RegExp(`^asset_id.*${well}`) });
    await within(record).findByRole('row', { name: new RegExp(`^(?:data\\.)?rop.*${value}`) });
    // The table is at the record's row.
    await expect.poll(() => document.activeElement?.closest('.ag-row')?.textContent).toContain(value);
  }
});

it('checks a dataset as a job in its own tab', async () => {
  const opened = await openConnected();
  const { press, fill, user } = opened;
  await user.click(await screen.findByRole('tab', { name: words.datasets.heading }));
  await fill(words.datasets.search, 'demo/wits');
  await press(words.datasets.about('demo/wits'));
  await press(w.tab.start);
  const tab = await screen.findByRole('region', { name: w.tab.region('demo/wits') });
  await within(tab).findByText(w.tab.idle);
  await fill(w.tab.step, '1 parsec', tab);
  await press(w.tab.start, tab);
  expect(await within(tab).findByRole('alert')).toBeVisible();
  await fill(w.tab.step, '1s', tab);
  await press(w.tab.start, tab);
  const report = await within(tab).findByRole('region', { name: w.region });
  await within(report).findByRole('heading', { name: w.wells.heading });
  await within(report).findAllByRole('row', { name: /^rop/ });
  expect(await findings()).toEqual([]);
  const { jobs } = await opened.application.client.jobs.list({});
  expect(jobs.map(({ kind, state }) => [kind, state])).toEqual([['quality', 'done']]);

  // The job opens its report: in its tab, or in a new one once that is closed.
  await press(new RegExp(`^${words.jobs.toggle}`));
  await user.click(await screen.findByRole('tab', { name: w.tab.title('WITS') }));
  await user.keyboard('{Delete}');
  await expect.poll(() => screen.queryByRole('region', { name: w.tab.region('demo/wits') })).toBeNull();
  await press(words.jobs.openReportNamed('demo/wits'));
  const again = await screen.findByRole('region', { name: w.tab.region('demo/wits') });
  await within(again).findByRole('heading', { name: w.wells.heading });
});

it('shows the report of a check that stopped and was resumed, in its tab or elsewhere, and says that one was discarded', async () => {
  const opened = await openConnected();
  const { press, fill, user, application, demo } = opened;
  const { client } = application;
  await user.click(await screen.findByRole('tab', { name: words.datasets.heading }));
  await fill(words.datasets.search, 'demo/wits');
  await press(words.datasets.about('demo/wits'));
  const tab = await press(w.tab.start).then(() =>
    screen.findByRole('region', { name: w.tab.region('demo/wits') }),
  );
  const stopped = async (): Promise<string> => {
    const running = async () =>
      (await client.jobs.list({})).jobs.find(({ state }) => state === 'running')?.id ?? '';
    demo.faults.latency_ms = 500;
    await press(w.tab.start, tab);
    await expect.poll(running).not.toBe('');
    const job = await running();
    await press(words.cancel, tab);
    await within(tab).findByRole('button', { name: words.jobs.resume });
    demo.faults.latency_ms = 0;
    return job;
  };
  await stopped();
  await press(words.jobs.resume, tab);
  await within(tab).findByRole('heading', { name: w.wells.heading });
  await client.jobs.resume({ job: await stopped() });
  await within(tab).findByRole('heading', { name: w.wells.heading });
  await client.jobs.discard({ job: await stopped() });
  await within(tab).findByText(w.discarded);
});

it('compares two wells of a dataset as a job, and leads to the records of both', async () => {
  const c = w.comparing;
  const demo = await openDemo();
  const changed = records.map(({ data, ...record }, n) => ({
    ...record,
    asset_id: 5002,
    data: { ...data, rop: data.rop + (n === 20 ? 3 : 0), torque: n },
  }));
  await insert(demo, records);
  await insert(
    demo,
    changed.filter((_, n) => n < 50 || n >= 60),
  );
  const opened = await openConnected(demo);
  const { press, fill, user } = opened;
  await user.click(await screen.findByRole('tab', { name: words.datasets.heading }));
  await fill(words.datasets.search, 'demo/wits');
  await press(words.datasets.about('demo/wits'));
  await press(w.tab.start);
  const tab = await screen.findByRole('region', { name: w.tab.region('demo/wits') });
  const range = `timestamp: { $gte: ${start}, $lt: ${start + 1000 * second} }`;
  await fill(w.tab.query, `{ asset_id: 5001, ${range} }`, tab);
  await press(c.open, tab);
  const form = await within(tab).findByRole('form', { name: c.heading });
  expect(await within(form).findByRole('textbox', { name: c.input(c.source, c.from) })).toHaveValue(
    placeOf(0),
  );
  expect(await findings()).toEqual([]);

  // Nothing is compared with itself, and mistakes are named at their inputs.
  await fill(c.tolerance, 'much', form);
  await press(c.start, form);
  expect(await within(form).findByText(c.badTolerance)).toBeVisible();
  await fill(c.tolerance, '1', form);
  await press(c.start, form);
  expect(await within(form).findByText(c.isSame)).toBeVisible();
  await fill(c.input(c.against, c.well), '5002', form);
  await user.keyboard('{Tab}');
  await press(c.start, form);

  const report = await within(tab).findByRole('region', { name: c.heading });
  expect(await within(report).findByText(c.fieldsOnly('torque'))).toBeVisible();
  const rop = await within(report).findByRole('row', { name: /^rop/ });
  expect(await within(rop).findByRole('cell', { name: '3' })).toBeVisible();
  const lacking = await within(report).findByRole('table', { name: c.ranges('Ridge A-101H') });
  expect(
    within(lacking)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual([c.from + c.to + c.records, `${placeOf(50)}${placeOf(59)}10`]);
  expect(await findings()).toEqual([]);

  const downloads = watchDownloads();
  await press(c.csv.save, report);
  await expect.poll(() => downloads.length).toBe(1);
  const lines = ((await downloads[0]?.content.text()) ?? '').split('\r\n');
  const iso = (n: number) => new Date(start + n * second).toISOString();
  const values = records
    .filter(({ timestamp }) => timestamp === start + 20 * second)
    .map(({ data }) => data.rop);
  expect(lines).toEqual([
    c.csv.head.join(','),
    `${c.csv.only.source},,,,${iso(50)},${iso(59)},10,,,`,
    `${c.csv.only.against},data.torque,,,,,,,,`,
    `${c.csv.different},data.rop,,,${iso(20)},${iso(20)},1,${values[0]},${Number(values[0]) + 3},3`,
    '',
  ]);

  // The list of differences opens the records of either well.
  await user.click(await within(rop).findByRole('button', { name: `${c.places('rop')}: 1` }));
  const list = await screen.findByRole('dialog', { name: c.places('rop') });
  const places = within(list).getAllByRole('button', { name: new RegExp(placeOf(20)) });
  expect(places).toHaveLength(2);
  expect(await findings('region')).toEqual([]);
  await user.click(places[1] ?? list);
  expect(await opened.query()).toContain('5002');
  const { jobs } = await opened.application.client.jobs.list({});
  expect(jobs).toMatchObject([{ kind: 'quality', state: 'done', result: { matched: 230, only: 10 } }]);
});

it('names wells in a comparison of several wells with another one, and says why no record has a pair', async () => {
  const c = w.comparing;
  const demo = await openDemo();
  for (const id of [5001, 5002, 5003])
    await insert(
      demo,
      records.map((record) => ({ ...record, asset_id: id })),
    );
  const { press, fill, user } = await openConnected(demo);
  await user.click(await screen.findByRole('tab', { name: words.datasets.heading }));
  await fill(words.datasets.search, 'demo/wits');
  await press(words.datasets.about('demo/wits'));
  await press(w.tab.start);
  const tab = await screen.findByRole('region', { name: w.tab.region('demo/wits') });
  const range = `timestamp: { $gte: ${start}, $lt: ${start + 1000 * second} }`;
  await fill(w.tab.query, `{ asset_id: { $in: [5001, 5002] }, ${range} }`, tab);
  await press(c.open, tab);
  const form = await within(tab).findByRole('form', { name: c.heading });
  await fill(c.input(c.against, c.well), '5003', form);
  await user.keyboard('{Tab}');
  await press(c.start, form);
  const report = await within(tab).findByRole('region', { name: c.heading });
  expect(await within(report).findByText(c.noPair)).toBeVisible();
  const only = await within(report).findByRole('table', { name: c.ranges(c.first) });
  expect(
    within(only)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(expect.arrayContaining(['Ridge A-101H', 'Ridge B-102H']));
});

it('checks a file before it is sent, compares it with the dataset that it goes into, and leads to its rows', async () => {
  const c = w.comparing;
  const { upload, user, press, fill, application } = await openUpload('Ridge A-101H');
  const timeOf = (n: number) => new Date(Date.UTC(2024, 2, 4, 23, 59, 30) + n * second).toISOString();
  const rows = Array.from({ length: 100 }, (_, n) => n)
    .filter((n) => n < 20 || n >= 50)
    .map((n) => `03/${timeOf(n).slice(8, 10)}/2024,${n},${timeOf(n).slice(11, 19)}`);
  // Only the format that the user sets, with the times of day, orders these rows.
  await upload.pick('rig.csv', ['Date,ROP,Clock', ...rows]);
  await upload.next('columns');
  const dates = await upload.place('Date');
  await user.click(await within(dates).findByRole('radio', { name: /^4 March 2024/ }));
  await press(words.close, dates);
  await upload.next('check');
  await press(w.tab.start);
  const ofFile = await screen.findByRole('region', { name: w.region });
  await within(ofFile).findByText(w.facts.gapsText(1, 30));

  const section = await screen.findByRole('region', { name: c.fileHeading });
  await fill(c.tolerance, '', section);
  await press(c.start, section);
  expect(await within(section).findByText(c.badTolerance)).toBeVisible();
  await fill(c.tolerance, '1%', section);
  await press(c.start, section);
  const report = await within(section).findByRole('region', { name: c.heading });
  expect(await within(report).findByRole('row', { name: new RegExp(`^${c.theFile}.*70.*70`) })).toBeVisible();
  expect(await findings()).toEqual([]);
  await press(uploadWords.ledger.showLine(2), report);
  await upload.text(uploadWords.preview.at(2));
  const { jobs } = await application.client.jobs.list({});
  expect(jobs).toContainEqual(
    expect.objectContaining({
      kind: 'quality',
      file: 'rig.csv',
      result: expect.objectContaining({ rows: 70, matched: 0 }),
    }),
  );
});
