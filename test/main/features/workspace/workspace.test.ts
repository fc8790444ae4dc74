import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SystemNotice } from '../../../../src/shared/contract/workspace.ts';
import { createViews, createWorkspace } from '../../../../src/main/features/workspace/workspace.ts';
import { plainView, type GridView } from '../../../../src/shared/tabs/tabs.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();
const wits = { provider: 'demo', dataset: 'wits' };
const logs = { provider: 'demo', dataset: 'logs' };

it('the layout of columns is stored for each dataset, across processes', async () => {
  const folder = await newFolder();
  const view = { ...plainView, hidden: ['asset_id'], widths: { 'data.rop': 120 } };
  const one = createViews(folder, () => undefined);
  expect(await one.view(wits, {})).toEqual(plainView);
  await Promise.all([
    one.changeView({ ...wits, before: plainView, view }, {}),
    createViews(folder, () => undefined).changeView(
      { ...logs, before: plainView, view: { ...plainView, pinned: ['a'] } },
      {},
    ),
  ]);
  const other = createViews(folder, () => undefined);
  expect(await other.view(wits, {})).toEqual(view);
  expect(await other.view(logs, {})).toMatchObject({ pinned: ['a'] });
});

it('three tabs that change the columns of a dataset, each from its own copy, keep the changes of the others', async () => {
  const views = createViews(await newFolder(), () => undefined);
  const order = ['time', 'depth', 'rop', 'torque'];
  const change = (before: Partial<GridView>, view: Partial<GridView>) =>
    views.changeView(
      { ...wits, before: { ...plainView, ...before }, view: { ...plainView, ...before, ...view } },
      {},
    );
  await change({}, { hidden: ['depth'], widths: { rop: 80 } });
  await change({}, { hidden: ['torque'], units: { depth: 'm' } });
  await change({ pinned: ['time'] }, { pinned: ['time', 'rop'] });
  await change({ order }, { order: ['rop', 'time', 'depth', 'torque'] });
  // These have not seen what the others moved and pinned.
  await change({ order }, { order: ['torque', 'time', 'depth', 'rop'] });
  await change({ pinned: ['time'] }, { pinned: ['time', 'depth'] });
  expect(await views.view(wits, {})).toEqual({
    hidden: ['depth', 'torque'],
    order: ['torque', 'rop', 'time', 'depth'],
    pinned: ['time', 'rop', 'depth'],
    units: { depth: 'm' },
    widths: { rop: 80 },
  });
  await change({ hidden: ['depth'], pinned: ['time', 'rop'] }, { hidden: [], pinned: ['rop'] });
  expect(await views.view(wits, {})).toMatchObject({ hidden: ['torque'], pinned: ['rop', 'depth'] });
  await views.changeView({ ...wits, before: null, view: plainView }, {});
  expect(await views.view(wits, {})).toEqual(plainView);
});

it('the layouts of the 500 most recently changed datasets are stored', async () => {
  const folder = await newFolder();
  const views = Array.from({ length: 500 }, (_, n) => ({
    provider: 'p',
    dataset: `d${n}`,
    view: { hidden: ['x'] },
  }));
  await writeFile(join(folder, 'views.json'), JSON.stringify({ format: 1, views }));
  const kept = createViews(folder, () => undefined);
  await kept.changeView({ ...wits, before: plainView, view: { ...plainView, hidden: ['x'] } }, {});
  expect(await kept.view({ provider: 'p', dataset: 'd498' }, {})).toMatchObject({ hidden: ['x'] });
  expect(await kept.view({ provider: 'p', dataset: 'd499' }, {})).toEqual(plainView);
  expect(await kept.view(wits, {})).toMatchObject({ hidden: ['x'] });
});

it('damaged content is set aside and reported', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'views.json'), '{"format":1,"views":[{"provider":"demo"');
  const warnings: string[] = [];
  expect(await createViews(folder, (sentence) => warnings.push(sentence)).view(wits, {})).toEqual(plainView);
  expect(warnings).toHaveLength(1);
  expect((await readdir(folder)).some((name) => name.startsWith('views.json.damaged-'))).toBe(true);
});

it('a notification of a window is shown by the host, with what could change how it is read escaped', async () => {
  const shown: SystemNotice[] = [];
  const { notify } = createWorkspace(
    { version: '1', host: 'electron', files: 'dialog', endsWithWindow: true },
    await newFolder(),
    {
      warn: () => undefined,
      notify: (notice) => void shown.push(notice),
      settings: () => Promise.reject(new Error('not read')),
      connections: async () => [],
      jobs: async () => ({ jobs: [], older: 0 }),
      clean: (text) => text,
    },
  );
  expect(await notify({ title: 'Live\u202Elimit', body: 'Ridge A: rop\nRidge B: wob' }, {})).toEqual({});
  expect(shown).toEqual([{ title: 'Live\\u202elimit', body: 'Ridge A: rop\nRidge B: wob' }]);
});
