import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { anyCount, anyOtherCount, like, startingLike } from '../../support/wording.ts';
import { findings } from './support/findings.ts';
import { openUpload } from './support/upload.ts';

const w = uploadWords;
const { columns, fitting } = w;
const depths = 'demo/drilling.wits.depth';
const forge = join(import.meta.dirname, '../../../../shared/data/depth/forge_Well_58-32.csv');

type Opened = Awaited<ReturnType<typeof openUpload>>;

/** Waits until a column goes to a field. */
const expectField = (upload: Opened['upload'], column: string, field: string) =>
  expect.poll(() => upload.column(column)).toHaveTextContent(['data', field].join('.'));
/** The well of all rows is selected; their log is named. */
async function nameLog(upload: Opened['upload']): Promise<void> {
  await upload.fillField('log_identifier', columns.oneValue);
  await upload.typeInto(await within(await upload.field('log_identifier')).findByRole('textbox'), 'a log');
}
const warningsOf = async ({ tab }: Opened) =>
  (await within(await tab()).findAllByRole('listitem')).map(({ textContent }) => textContent).join('\n');

it.skipIf(!existsSync(forge))('FORGE 58-32 into a depth dataset: columns find their fields', async () => {
  const opened = await openUpload('Ridge A-101H', depths);
  const { upload } = opened;
  const lines = (await readFile(forge, 'utf8')).split('\n').slice(0, 301);
  await upload.hand('forge_Well_58-32.csv', lines.join('\n'));
  await upload.text(/^300 /);
  await upload.next('columns');
  await expectField(upload, 'weight on bit (k-lbs)', 'wobavg');
  await expectField(upload, 'Pump Press (psi)', 'sppavg');
  await expectField(upload, 'ROP(1 ft)', 'ropa');
  // The reason is beside it.
  within(await upload.column('weight on bit (k-lbs)')).getByTitle(/weight on bit.*95/);
  expect(await findings()).toEqual([]);
  // The same weight in kilograms gets a field of its own with a clean name, and a pressure is no torque.
  await expectField(upload, 'weight on bit (kg)', 'weight_on_bit');
  const torque = within(await upload.column('Surface Torque (psi)'));
  expect(
    torque.queryByRole('button', { name: columns.proposals.use('data.tqabav', 'Surface Torque (psi)') }),
  ).toBeNull();
  await nameLog(upload);
  await upload.next('check');
  await upload.button(like(w.check.send(anyCount)));
});

it('a metric file into a dataset in US units: each conversion is shown and listed, and the values arrive converted; the next file converts from its own unit, and says so', async () => {
  const opened = await openUpload('Ridge A-101H', depths);
  const { upload, application, connection } = opened;
  const rows = [1, 2, 3].map((row) => `${1000 + row},44.482216152605,${row + 20},6894.757293168361`);
  const metric = (unit: string) => ['Depth,WOB,ROP,SPP', `m,${unit},m/h,kPa`, ...rows];
  await upload.pick('metric.csv', metric('kN'));
  await upload.next('columns');
  await expectField(upload, 'WOB', 'wobavg');
  await expect.poll(() => upload.column('WOB')).toHaveTextContent(columns.conversion('kN', 'klbf'));
  expect(await upload.column('WOB')).toHaveTextContent('10');
  await nameLog(upload);
  await upload.next('check');
  await upload.button(w.check.send(3));
  const listed = await warningsOf(opened);
  for (const change of ['from kN to klbf', 'from m/h to ft/h', 'from kPa to psi', 'from m to ft'])
    expect(listed).toContain(change);
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ accepted: 3 });
  const query = '{ log_identifier: "a log" }';
  const [provider = '', dataset = ''] = depths.split('/');
  const { records } = await application.client.query.find({ connection, provider, dataset, query, limit: 1 });
  expect(new TextDecoder().decode(records)).toMatch(
    /"wobavg":10[,}].*"sppavg":1000[,}]|"sppavg":1000[,}].*"wobavg":10[,}]/,
  );

  await upload.open(depths);
  await upload.pick('next.csv', metric('daN'));
  await upload.next('columns');
  await upload.text(columns.lastMapping('metric.csv'));
  await upload.text(columns.otherUnits.differs('WOB', 'daN', 'kN', true));
  expect(await findings()).toEqual([]);
  await expect.poll(() => upload.column('WOB')).toHaveTextContent(columns.conversion('daN', 'klbf'));
});

it('a field that is typed has the unit of the field as a selected one has, unless values are stored as is; a less certain field is one press away', async () => {
  const opened = await openUpload('Ridge A-101H', 'demo/wits');
  const { upload, application, connection } = opened;
  await upload.pick('typed.csv', [
    'Time,Depth of hole (m),Bit position (m),Hookld (klbf)',
    '2026-01-02T03:04:05Z,1206,1200,100',
    '2026-01-02T03:04:06Z,1207,1201,250',
  ]);
  await upload.next('columns');
  await upload.press(columns.proposals.use('data.hook_load', 'Hookld (klbf)'));
  await expectField(upload, 'Hookld (klbf)', 'hook_load');
  const isConverted = async (column: string) =>
    expect.poll(() => upload.column(column)).toHaveTextContent(columns.conversion('m', 'ft'));
  await upload.edit(columns.targetOf('Depth of hole (m)'), 'data.hole_depth');
  await isConverted('Depth of hole (m)');
  await upload.press(startingLike(columns.targetOf('Bit position (m)')));
  const box = await screen.findByRole('combobox', { name: columns.targetOf('Bit position (m)') });
  await opened.user.clear(box);
  await opened.user.paste('bit dep');
  const option = await screen.findByRole('option', { name: 'data.bit_depth' });
  expect(option).toHaveTextContent('data.bit_depthft · Bit depth');
  await opened.user.click(option);
  await isConverted('Bit position (m)');
  await upload.edit(columns.unitOf('Bit position (m)'), columns.storeAsIs);
  await expect.poll(() => upload.column('Bit position (m)')).toHaveTextContent(columns.asIs('m'));
  await upload.next('check');
  await upload.text(w.check.convertedColumn('Depth of hole (m)', columns.conversion('m', 'ft')));
  await upload.button(w.check.send(2));
  await upload.send();
  await expect.poll(upload.books).toMatchObject({ accepted: 2 });
  expect(await warningsOf(opened)).toContain('from m to ft');
  const query = `{ timestamp: ${Date.UTC(2026, 0, 2, 3, 4, 5)} }`;
  const page = { connection, provider: 'demo', dataset: 'wits', query, limit: 1 };
  const { records } = await application.client.query.find(page);
  const [record] = JSON.parse(new TextDecoder().decode(records));
  expect(record).toMatchObject({ data: { hole_depth: 3956.69291338583, bit_depth: 1200 } });
});

it('a file without a dataset is offered those that it fits, and a file by time is reported in one by depth', async () => {
  const { upload, press, tab } = await openUpload(undefined, depths);
  const times = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];
  await upload.pick('by time.csv', ['Time,ROP (ft/h),WOB (klbf)', ...times.map((time) => `${time},100,20`)]);
  await upload.text(fitting.otherIndex.time_file(depths));
  const offered = like(fitting.select('demo/wits', anyCount, anyOtherCount));
  await within(await tab()).findByRole('button', { name: offered });
  expect(await findings()).toEqual([]);
  await press(offered, await tab());
  await expect
    .poll(async () => within(await tab()).queryByText(fitting.otherIndex.time_file(depths)))
    .toBeNull();
  await upload.next('columns');
  await expectField(upload, 'WOB (klbf)', 'weight_on_bit');
});
