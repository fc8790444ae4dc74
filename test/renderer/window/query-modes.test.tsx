import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { zoneInName } from '../../../src/main/core/records/zone-names.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { any, including } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openConnected, waitForWells, type TestWindow } from './support/open-window.tsx';

const w = words.query;
const { stages } = words;

/** Opens the window with a query of a dataset for one well. */
async function openQuery(): Promise<TestWindow> {
  const opened = await openConnected();
  await waitForWells(8);
  await opened.user.click(await screen.findByRole('row', { name: /^Cottonwood A-105H/ }));
  await opened.openDataset('demo/wits');
  return opened;
}
const alertIn = async (part: Promise<HTMLElement>) => within(await part).findByRole('alert');
const cellsOf = async ({ answer }: TestWindow, column: string) => {
  const cells = await within(await answer()).findAllByRole('gridcell');
  return cells.filter((cell) => cell.getAttribute('col-id') === column).map(({ textContent }) => textContent);
};
const offered = (from: keyof typeof w.carry.from) => screen.queryByText(w.carry.offer(w.carry.from[from]));

it('writes a selected range into the query, and reads it from there; runs it when a relative range is selected, and not while its ends are typed', async () => {
  const { press, fill, typeQuery, query, answer } = await openQuery();
  await press(`${w.range.time}: ${w.range.all}`);
  await fill(w.range.from, '2026-08-10 12:00');
  await press(w.range.set);
  await screen.findByRole('button', { name: `${w.range.time}: ${w.range.since('2026-08-10 12:00')}` });
  await within(await answer()).findByText(words.results.idle);
  await expect
    .poll(query)
    .toMatch(/^\{ asset_id: \{\{wells\}\}, timestamp: \{ \$gte: ISODate\("2026-08-10T.*Z"\) \} \}$/);
  await typeQuery('{ asset_id: 5005, timestamp: { $gte: {{now-1h}} } }');
  await screen.findByRole('button', { name: `${w.range.time}: ${w.range.presetList[0]?.text}` });
  await screen.findByRole('button', { name: `${w.scope.wells}: Cottonwood A-105H` });
  await typeQuery(
    '{ asset_id: {{wells}}, timestamp: { $gte: {{today-1d@Asia/Tokyo}}, $lt: {{today@Asia/Tokyo}} } }',
  );
  await screen.findByRole('button', { name: `${w.scope.wells}: Cottonwood A-105H` });
  const yesterday = w.range.presetList.find(({ id }) => id === 'today-1d')?.text ?? '';
  await screen.findByRole('button', { name: `${w.range.time}: ${w.range.inZone(yesterday, 'Asia/Tokyo')}` });
  await typeQuery('{ timestamp: { $gte: ISODate("2026-03-11"), $lt: ISODate("2026-03-12") } }');
  await screen.findByRole('button', { name: `${w.range.time}: 2026-03-11` });

  await press(`${w.range.time}: 2026-03-11`);
  await press(w.range.presetList[0]?.text ?? '');
  // The records of the sample are days old.
  await within(await answer()).findByText(words.results.noneInRange, { exact: false });
});

it('writes calendar days as a range, in local time of the wells', async () => {
  const { press, query, user } = await openQuery();
  await press(`${w.range.time}: ${w.range.all}`);
  await press(w.range.wellZone('America/Chicago'));
  const days = await screen.findByRole('grid', { name: new RegExp(w.range.days) });
  const [day = days] = within(days).getAllByRole('button', { name: / 10, / });
  await user.click(day);
  await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
  const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  await expect.poll(() => valueOf(w.range.from)).toMatch(/-10 00:00:00$/);
  expect(valueOf(w.range.to)).toMatch(/-13 00:00:00$/);
  await press(w.range.set);
  // Midnight in Texas, with or without daylight saving.
  await expect.poll(query).toMatch(/\$gte: ISODate\(".{7}-10T0[56]:00.*\$lt: ISODate\(".{7}-13T0[56]:00/);
});

it('has a field for a parameter, sends nothing without its value, and shows the request without the key', async () => {
  const opened = await openQuery();
  const { press, fill, typeQuery, answer, demo } = opened;
  await typeQuery('{ asset_id: {{wells}}, "data.hole_depth": { $gt: {{ask:depth:number}} } }');
  await press(w.run);
  await expect.poll(() => alertIn(answer())).toHaveTextContent('depth has no value');
  await expect.poll(() => screen.getByLabelText('depth')).toHaveFocus();
  await fill('depth', 'deep');
  await screen.findByText(/is not a number/);
  await fill('depth', '100');
  await fill(w.limit, '3');
  await press(w.run);
  await within(await answer()).findByText(words.results.records(3));

  await press(w.request.open);
  const request = await screen.findByRole('dialog', { name: w.request.heading });
  await expect.poll(() => request).toHaveTextContent(including(w.request.sent(any)));
  expect(await within(request).findByRole('region', { name: w.request.address })).toHaveTextContent(
    'GET http://127.0.0.1',
  );
  await press(w.request.languages.curl, request);
  await expect.poll(() => request).toHaveTextContent(w.request.copied('curl'));
  const copied = await navigator.clipboard.readText();
  expect(copied).toContain('"authorization: API $WELLBENCH_API_KEY"');
  expect(copied).not.toContain(demo.apiKeys.write);
  expect(await findings('region')).toEqual([]);
});

it('copies the conditions of a find to a pipeline, and says from how many records that computes', async () => {
  const opened = await openQuery();
  const { press, tick, typeQuery, user, tab, answer } = opened;
  await typeQuery('{ asset_id: {{wells}} }');
  await tick(w.modes.pipeline);
  await press(w.carry.take);
  await expect.poll(() => offered('find')).toBeNull();
  const match = '{ $match: { asset_id: {{wells}} } }';
  const group = '{ $group: { _id: "$asset_id", n: { $sum: 1 }, timestamp: { $max: "$timestamp" } } }';
  await typeQuery(`[${match}, { $limit: 10 }, ${group}]`);
  await press(w.run);
  await expect.poll(() => cellsOf(opened, 'n')).toEqual(['10']);
  const part = 'at most 10 records';
  await expect.poll(answer).toHaveTextContent(words.results.computedFrom(part));
  await press(words.results.copying.label);
  await user.click(await screen.findByRole('menuitem', { name: words.results.copying.formats.csv }));
  await expect
    .poll(() => navigator.clipboard.readText())
    .toContain(`n (${words.results.computedFrom(part)})`);
  // Beside a zone, it would hide it from an upload.
  const [heading = ''] = (await navigator.clipboard.readText()).split('\n');
  expect(zoneInName(heading.split(',').find((name) => name.startsWith('timestamp')) ?? '')).toBe('UTC');
  await typeQuery(`[${match}, ${group}]`);
  await press(w.run);
  await expect.poll(() => cellsOf(opened, 'n')).not.toEqual(['10']);
  expect(await answer()).not.toHaveTextContent(words.results.computedFrom(part));
  expect(await findings()).toEqual([]);

  await typeQuery(`[${match}, { $limit: 1 }, { $set: { "data.rop": { $multiply: ["$data.rop", 2] } } }]`);
  await press(w.run);
  await expect.poll(answer).toHaveTextContent('hole_depth');
  await press(w.export);
  const form = await screen.findByRole('dialog');
  await within(form).findByText(words.export.texts.whole);
  // What the pipeline computes has no unit of the dataset.
  const sample = await within(form).findByRole('region', { name: words.export.sample });
  await expect.poll(() => sample.textContent).toMatch(/data\.hole_depth \(ft\).*\tdata\.rop\t/);
  await tick(words.export.uses.custom, form);
  await tick(words.export.formats.ndjson, form);
  await expect.poll(() => within(form).getByLabelText(words.export.fileName)).toHaveDisplayValue(/\.ndjson$/);
  await press(words.export.start, form);
  const jobs = await screen.findByRole('contentinfo', { name: words.jobs.region });
  await expect.poll(() => jobs).toHaveTextContent(words.jobs.rows(1));

  expect(within(await tab()).queryByRole('alert')).toBeNull();
  expect(await findings()).toEqual([]);
});

it('builds a pipeline with cards, by keyboard too', async () => {
  const { press, fill, tick, query, tab, user, answer, typeQuery } = await openQuery();
  await tick(w.modes.pipeline);
  await press(w.carry.keep);
  await expect.poll(query).toContain('$group');
  await typeQuery(
    '[\n  { $match: { asset_id: {{wells}} } },\n  { $sort: { timestamp: -1 } },\n  { $limit: 20 },\n]\n',
  );
  await tick(stages.view.cards);
  const cards = await screen.findByRole('grid', { name: w.stages });
  const stage = (at: number, name: string) =>
    within(cards).findByRole('row', { name: stages.name(at, name) });
  const count = () => within(cards).getAllByRole('row').length;
  expect(count()).toBe(3);

  // A selected stage shows its text, and its output.
  await user.click(await stage(3, '$limit'));
  const preview = () => screen.findByRole('region', { name: stages.preview.heading });
  await expect.poll(preview).toHaveTextContent(stages.preview.documents(5));
  await fill(stages.stageText(stages.name(3, '$limit')), '{ $limit: 2 }');
  await expect.poll(preview).toHaveTextContent(stages.preview.documents(2));
  expect(await findings()).toEqual([]);

  (await stage(3, '$limit')).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await expect.poll(() => stage(2, '$limit')).toHaveFocus();
  (await screen.findByRole('switch', { name: stages.turnOn(stages.name(3, '$sort')) })).focus();
  await user.keyboard(' ');
  await stage(3, `$sort, ${stages.off}`);
  (await stage(2, '$limit')).focus();
  await user.keyboard('{Delete}');
  await expect.poll(count).toBe(2);
  await press(words.undo);
  await expect.poll(count).toBe(3);

  await tick(stages.view.text);
  await expect
    .poll(async () => (await query()).trim())
    .toBe(
      '[\n  { $match: { asset_id: {{wells}} } },\n  { $limit: 2 },\n  // { $sort: { timestamp: -1 } },\n]',
    );
  await typeQuery('[{ $match: { asset_id: 5005 } }, { $merge: { into: "x" } }]');
  await tick(stages.view.cards);
  await user.click(await screen.findByRole('row', { name: stages.name(2, '$merge') }));
  await within(await tab()).findByText(stages.refused.writes);
  await press(w.run);
  await expect.poll(() => alertIn(answer())).toHaveTextContent('$merge');
  expect(await findings()).toEqual([]);
});
