import { screen, waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { createLogs } from '../../../src/renderer/features/datasets/logs.ts';
import { openDataset } from '../../../src/renderer/features/query/open-query.ts';
import { openReport } from '../../../src/renderer/features/report/report-kind.ts';
import { formatDepth } from '../../../src/renderer/format/numbers.ts';
import { plotWords } from '../../../src/renderer/words/plot.ts';
import { reportWords } from '../../../src/renderer/words/report.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import { openSeveralQueries, queryOf, run, shownTab } from './support/several.ts';
import { cellsOf } from './support/several-wells.ts';

const dataset = 'uploads.depth';
/** The logs of each well from its surface: their ids are in another order. */
const logs = {
  5001: { upper: 'b00000000001', lower: 'a00000000002' },
  5002: { upper: 'd00000000003', lower: 'c00000000004' },
} as const;
const depths = (from: number) => `${formatDepth(from)}–${formatDepth(from + 19)}`;
const names = (well: 5001 | 5002) => ({
  upper: plotWords.log(1, depths(well - 4900)),
  lower: plotWords.log(2, depths(well - 3000)),
});

/** Opens a query of records with two logs of each of two wells, and of a log with a name. */
async function openLogs(query: string, { isRefused = false } = {}) {
  const opened = await openSeveralQueries('plain');
  const record = (asset_id: number, log_identifier: string, measured_depth: number) => ({
    version: 1,
    asset_id,
    log_identifier,
    measured_depth,
    data: { gamma: measured_depth % 7 },
  });
  const insert = ([5001, 5002] as const).flatMap((well) =>
    Array.from({ length: 20 }, (_, at) => [
      record(well, logs[well].upper, well - 4900 + at),
      record(well, logs[well].lower, well - 3000 + at),
      record(well, 'run 1', 9000 + at),
    ]).flat(),
  );
  opened.demo.change(`demo/${dataset}`, { insert });
  const requests: number[] = [];
  const { api } = opened.session().app;
  const pipeline: typeof api.query.pipeline = async (request, options) => {
    requests.push(Number(/"asset_id":(\d+)/.exec(request.stages)?.[1]));
    if (isRefused) throw new AppError('forbidden', { service: 'data' });
    return api.query.pipeline(request, options);
  };
  const read = createLogs({ query: { pipeline } }, opened.connection);
  Object.defineProperty(opened.session(), 'logs', { value: read });
  const listed = await opened.datasetAt(`demo/${dataset}`);
  const openQuery = async (of: string) => {
    await opened.openTab(() => void openDataset(opened.session(), listed));
    const model = queryOf(shownTab(opened));
    model.actions.focusEditor(false);
    model.actions.type('find', { query: of, sort: '{ measured_depth: 1 }', limit: '200' });
    await run(model);
    return model;
  };
  const model = await openQuery(query);
  const shown = async () => [...new Set(await cellsOf(opened, 'log_identifier'))];
  return { ...opened, model, openQuery, shown, requests };
}

it('a table and a plot name a log alike, whichever records they have, and it is found by its name', async () => {
  const lower = `{ asset_id: 5001, log_identifier: '${logs[5001].lower}' }`;
  const opened = await openLogs(lower);
  const { answer, shown, requests, openQuery, user } = opened;
  await waitFor(async () => expect(await shown()).toEqual([names(5001).lower]));

  const all = await openQuery('{ asset_id: { $in: [5001, 5002] } }');
  await waitFor(async () => expect(await shown()).toEqual([names(5001).upper, names(5002).upper]));
  const found = await opened.fill(words.results.find.label, names(5001).lower, await answer());
  await user.type(found, '{Enter}');
  await within(await answer()).findByText(words.results.find.place(1, 20, null));

  all.results.plot.actions.choose({
    kind: 'bars',
    x: 'measured_depth',
    y: ['data.gamma'],
    align: 'recorded',
  });
  all.results.actions.setView('both');
  const region = await within(await answer()).findByRole('region', { name: plotWords.bars.region });
  const rows = within(region)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent.split(' · '));
  const logsIn = (well: string) => [
    ...new Set(rows.flatMap(([of, log = '']) => (of === well ? [log] : [])).toSorted()),
  ];
  expect(logsIn('Ridge A-101H')).toEqual([...Object.values(names(5001)), 'run 1']);
  expect(logsIn('Ridge B-102H')).toEqual([...Object.values(names(5002)), 'run 1']);
  // One list of each well, for all views.
  expect(requests.toSorted((a, b) => a - b)).toEqual([5001, 5002]);

  all.results.actions.setView('table');
  const cell = (await within(await answer()).findAllByText(names(5001).upper))[0];
  if (!cell) throw new Error('there is no log');
  await user.dblClick(cell);
  const record = await screen.findByRole('region', { name: words.record.region });
  await within(record).findByRole('row', { name: new RegExp(logs[5001].upper) });
  expect(record).toHaveTextContent(names(5001).upper);
  await opened.press(words.record.close);

  // The dataset's own names have its own ids.
  await opened.application.client.settings.change({ set: { names: 'fields' } });
  await waitFor(async () => expect(await shown()).toContain(logs[5001].upper));
  expect(await shown()).not.toContain(names(5001).upper);
});

it('the only log of a well is its first; a report names logs as tables do', async () => {
  const opened = await openLogs('{ asset_id: 5001 }');
  const one = {
    version: 1,
    asset_id: 5003,
    log_identifier: 'e00000000005',
    measured_depth: 7,
    data: { gamma: 1 },
  };
  opened.demo.change(`demo/${dataset}`, { insert: [one] });
  await opened.openQuery('{ asset_id: 5003 }');
  await expect.poll(() => opened.requests).toEqual([5001, 5003]);
  await waitFor(async () => expect(await opened.shown()).toEqual([plotWords.log(1, '7')]));

  const table = {
    id: '00000000-0000-4000-8000-000000000001',
    folder: 'Logs',
    name: '17 gamma',
    provider: 'demo',
    dataset,
    changedAt: 0,
    question: questionText.parse({
      find: {
        query: `{ asset_id: 5002, log_identifier: '${logs[5002].lower}' }`,
        sort: '{ measured_depth: 1 }',
        limit: '5',
      },
    }),
  };
  await opened.session().app.api.saved.put({ queries: [table], folders: [] });
  await opened.openTab(() => openReport(opened.session(), 'Logs'));
  await within(await opened.tab()).findByText(reportWords.progress(1, 1));
  const part = within(await opened.tab()).getByRole('region', { name: '17 gamma' });
  expect(within(part).getAllByRole('cell', { name: names(5002).lower })).toHaveLength(5);
});

it('logs have their ids where the service refuses a list of them', async () => {
  const refused = await openLogs('{ asset_id: 5001 }', { isRefused: true });
  await expect.poll(() => refused.requests).toEqual([5001]);
  expect(await refused.shown()).toEqual([logs[5001].upper]);
});
