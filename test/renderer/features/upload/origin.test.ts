import { expect, it } from 'vitest';
import { mapping } from '../../../../src/shared/upload/upload.ts';
import { fileWith } from '../../../main/features/upload/support/files.ts';
import { wellWith } from '../../../support/wells.ts';
import { templateCalls, uploadTab } from './window.ts';

const header = 'Time,ROP,note';
const rejects = `${header},rejected_line,rejected_code,rejected_message\n2026-01-02T03:04:05Z,stuck,x,2,not_a_number,no\n`;
const chosen = mapping.parse({
  columns: { Time: { to: 'timestamp', zone: 'UTC' }, ROP: { to: 'data.rop', type: 'number' } },
  constants: { asset_id: 5003, version: 2, 'data.run': 5, 'data.final': true, 'data.code': '007' },
  nulls: ['-999.25'],
  skip: ['note'],
  rest: 'data',
});
const origin = {
  provider: 'demo',
  dataset: 'uploads.time',
  job: 'job-0001',
  file: 'rig.csv',
  connection: 'test',
  mapping: chosen,
  existing: 'insert' as const,
};

it('a file of rejected rows gets all selections of its upload', async () => {
  const tab = uploadTab({ origin, wells: [wellWith(7)] });
  await tab.actions.accept(tab.grant(await fileWith(rejects)));
  await tab.settled();
  expect(tab.state()).toMatchObject({ origin, dataset: { dataset: 'uploads.time' }, existing: 'insert' });
  expect(tab.mapping()).toEqual(chosen);
  expect(tab.state().match.value?.ready).toBe(true);
});

it('the next file gets nothing that was decided for a file of rejected rows', async () => {
  const stored = templateCalls();
  const tab = uploadTab({ origin, stored });
  await tab.actions.accept(tab.grant(await fileWith(rejects)));
  await tab.settled();
  await tab.actions.check();
  await tab.actions.send();
  expect(tab.state().send.status).toBe('started');
  await expect(stored.lastMapping({ header: header.split(','), type: 'time' })).resolves.toBeNull();
});

it('a file of rejected rows of another connection gets no ids of that', async () => {
  const tab = uploadTab({ origin, connection: 'there' });
  await tab.actions.accept(tab.grant(await fileWith(rejects)));
  await tab.settled();
  expect(tab.state().origin).toEqual(origin);
  expect(tab.mapping()).toEqual({
    ...chosen,
    constants: { version: 2, 'data.run': 5, 'data.final': true, 'data.code': '007' },
  });
});

it('a file of rejected rows keeps what was selected since when it is read again', async () => {
  const tab = uploadTab({ origin });
  await tab.actions.accept(tab.grant(await fileWith(rejects)));
  await tab.settled();
  tab.actions.mapColumn('ROP', { skip: true });
  await tab.settled();
  const { choices } = tab.state();
  await tab.actions.readAgain();
  await tab.settled();
  expect(tab.state()).toMatchObject({ origin, choices });
  expect(tab.state().choices).toEqual(choices);
});

it('a file of rejected rows accepts the template of the original header, and other files do not get its selections', async () => {
  const original = uploadTab({ origin });
  await original.actions.accept(original.grant(await fileWith(`${header}\n2026-01-02T03:04:05Z,1,x\n`)));
  await original.settled();
  expect(original.state()).toMatchObject({ origin: null, choices: { columns: {} } });
  await original.actions.saveTemplate('Rig');
  const { templates } = original.state();
  const [kept] = templates.status === 'loaded' ? templates.value.templates : [];
  expect(kept?.header).toEqual(['Time', 'ROP', 'note']);
  const again = uploadTab();
  await again.actions.accept(again.grant(await fileWith(rejects)));
  await again.settled();
  await again.actions.saveTemplate('Rig');
  const stored = again.state().templates;
  expect(stored.status === 'loaded' && stored.value.templates[0]?.header).toEqual(kept?.header);
});
