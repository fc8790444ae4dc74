import { screen, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { AppError } from '../../../src/shared/errors/errors.ts';
import { wellNote } from '../../../src/shared/contract/notes.ts';
import { openReport } from '../../../src/renderer/features/report/report-kind.ts';
import { notesWords } from '../../../src/renderer/words/notes.ts';
import { reportWords as w } from '../../../src/renderer/words/report.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { questionText } from '../../../src/shared/query/question.ts';
import type { SavedQuery } from '../../../src/shared/saved/saved.ts';
import { watchDownloads } from './support/downloads.ts';
import { openSeveralQueries } from './support/several.ts';
import { drillingOf } from './support/several-wells.ts';

const hostile = `3 </title><script src="https://evil.example/x.js"></script><img src=x onerror="alert(1)">`;

const common = { folder: 'Morning', provider: 'demo', dataset: 'wits', changedAt: 0 };
const bars: SavedQuery = {
  ...common,
  id: '00000000-0000-4000-8000-000000000001',
  name: '1 Records by state',
  question: questionText.parse({
    mode: 'pipeline',
    pipeline: {
      stages:
        '[{ $match: { asset_id: { $in: {{wells}} } } }, { $group: { _id: { state: "$data.state" }, records: { $sum: 1 } } }]',
    },
  }),
  look: {
    view: 'plot',
    plot: { kind: 'bars', x: 'records', y: ['records'], align: 'recorded' },
    calculated: [],
  },
};
const withLimit = (limit: string, fields = 'asset_id data.rop') =>
  questionText.parse({
    find: {
      query: '{ asset_id: {{wells}} }',
      sort: '{ timestamp: -1 }',
      fields,
      limit,
    },
  });
const table: SavedQuery = {
  ...common,
  id: '00000000-0000-4000-8000-000000000002',
  name: '2 Newest record',
  question: withLimit('1'),
};
const lost: SavedQuery = {
  ...table,
  id: '00000000-0000-4000-8000-000000000003',
  name: hostile,
  dataset: 'gone',
};

const statement: SavedQuery = {
  ...table,
  id: '00000000-0000-4000-8000-000000000004',
  name: '4 Statement',
  question: questionText.parse({ mode: 'sql', sql: { statement: 'SELECT 4242 AS answer' } }),
};

/** Opens a report of queries, with the wells of the tab in view. */
async function openReportOf(queries: readonly SavedQuery[]) {
  const opened = await openSeveralQueries();
  await opened.session().app.api.saved.put({ queries: [...queries], folders: [] });
  const open = async (of: typeof opened.tabs.query) => {
    await opened.show(of);
    await opened.openTab(() => openReport(opened.session(), common.folder));
    await within(await opened.tab()).findByText(w.progress(queries.length, queries.length));
  };
  const part = async (name: string) => within(await opened.tab()).findByRole('region', { name });
  return { ...opened, open, part };
}

it('two reports of two wells have bars and a table of their own well, beside a part that failed', async () => {
  const opened = await openReportOf([table, lost, bars]);
  const { tabs, open, part, press, tab } = opened;
  for (const [of, well] of [
    [tabs.query, 5001],
    [tabs.otherQuery, 5002],
  ] as const) {
    const [{ name } = { name: '' }] = of.wells;
    await open(of);
    const names = within(await tab())
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent);
    expect(names).toEqual([bars.name, table.name, hostile]);
    const records = await drillingOf(opened, well);
    const states = Map.groupBy(records, ({ state }) => state);
    const rows = within(await part(bars.name)).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent.replaceAll(',', '')).toSorted()).toEqual(
      [...states].map(([state, all]) => `${state}${all.length}`).toSorted(),
    );
    const newest = within(await part(table.name));
    expect(newest.getAllByRole('row')).toHaveLength(2);
    expect(newest.getByRole('cell', { name: String(well) })).toBeInTheDocument();
    // Its well, and no word of rows: the query asks for one.
    const about = (await part(table.name)).querySelectorAll('.report-about');
    expect([...about].map(({ textContent }) => textContent)).toEqual([name]);
    const failed = within(await part(hostile));
    expect(failed.queryByRole('table')).toBeNull();
    expect(failed.getByRole('alert')).toHaveTextContent(/gone/);
  }
  // Another well in the same tab: all parts are read again, for it.
  opened.session().wells.actions.selectWells(tabs.query.wells);
  const cell = async (text: string) => within(await part(table.name)).findByRole('cell', { name: text });
  expect(await cell('5001')).toBeInTheDocument();
  expect(within(await part(table.name)).queryByRole('cell', { name: '5002' })).toBeNull();
  await press(`${words.tryAgain}: ${hostile}`);
  await within(await part(hostile)).findByRole('alert');
});

it('is one HTML file without scripts and addresses, whatever names and notes contain; opens from the menu of a folder, and says how the first part is added', async () => {
  const { tabs, open, press, fill, session, user, takeItem, tab } = await openReportOf([
    table,
    statement,
    lost,
  ]);
  await open(tabs.query);
  await fill(w.note, hostile);
  const files = watchDownloads();
  await press(w.saveHtml);
  await expect.poll(() => files.length).toBe(1);
  const [file] = files;
  expect(await screen.findByText(w.saved(file?.name ?? ''))).toBeInTheDocument();
  const day = new Date().toISOString().slice(0, 10);
  expect(file?.name).toBe(`${common.folder} Ridge A-101H ${day}.html`);
  const html = (await file?.content.text()) ?? '';
  const page = new DOMParser().parseFromString(html, 'text/html');
  expect(page.title).toBe(w.title(common.folder, 'Ridge A-101H'));
  // Tables of SQL can be of other wells, and older.
  expect(page.body.textContent).toContain(`${statement.name}${w.sql}`);
  expect([...page.querySelectorAll('h2')].map(({ textContent }) => textContent)).toEqual([
    table.name,
    hostile,
    statement.name,
  ]);
  expect(page.querySelector('.report-note')?.textContent).toBe(hostile);
  expect(page.querySelectorAll('script, link, iframe, object, form, button, img, base')).toHaveLength(0);
  const attributes = [...page.querySelectorAll('*')].flatMap(({ attributes: all }) => [...all]);
  expect(attributes.filter(({ name }) => /^on|^(src|href|srcset|action)$/.test(name))).toEqual([]);
  // The only address is that of the hostile name, as text.
  expect(html.replaceAll('https://evil.example/x.js', '')).not.toMatch(/https?:/);
  expect(page.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')).toContain(
    "default-src 'none'",
  );

  await session().app.api.saved.put({ queries: [], folders: ['Night'] });
  await user.click(await screen.findByRole('tab', { name: words.saved.heading }));
  await press(words.saved.menu('Night'));
  await takeItem(w.open);
  await screen.findByText(w.empty('Night'));
  expect(within(await tab()).getByRole('button', { name: w.saveHtml })).toBeDisabled();
});

it('a part says that units of its fields couldn’t be read, if it has any of them', async () => {
  const times = {
    ...table,
    id: statement.id,
    name: '3 Times',
    question: withLimit('1', 'asset_id timestamp'),
  };
  const { tabs, open, part, session, wits, connection, application } = await openReportOf([table, times]);
  await application.client.settings.change({ set: { units: 'metric' } });
  const { fields } = session().app;
  const key = { connection, address: wits };
  const problem = new AppError('forbidden', { service: 'data' }).toBody();
  fields.set(key, { ...(await fields.value(key)), units: new Map(), problem });
  await open(tabs.query);
  const shown = within(await part(table.name));
  expect(shown.getByText(w.unitsMissing)).toBeInTheDocument();
  expect(shown.getByRole('columnheader', { name: /rop/ })).toHaveTextContent(words.results.storedUnit);
  const other = within(await part(times.name));
  await other.findByRole('columnheader', { name: /timestamp/ });
  expect(other.queryByText(w.unitsMissing)).toBeNull();
});

it('ends with the notes on ranges of its wells, and no others, and says where more rows may match', async () => {
  const calculated = [
    { name: 'lost', expression: 'nothing * 2' },
    { name: 'change', expression: 'previous(rop)' },
  ];
  // Without its well.
  const question = questionText.parse({
    find: {
      query: '{ asset_id: {{wells}} }',
      sort: '{ timestamp: -1 }',
      fields: 'timestamp data.rop',
      limit: '2',
    },
  });
  const two: SavedQuery = { ...table, question, look: { view: 'table', plot: null, calculated } };
  const opened = await openReportOf([two]);
  const { tabs, open, part, press, session, tab, connection } = opened;
  const note = (well: number, text: string) =>
    session().notes.put(
      wellNote.parse({
        id: `00000000-0000-4000-8000-00000000${well}`,
        well,
        along: 'depth',
        from: 7210,
        to: 7232,
        unit: 'ft',
        text,
        changedAt: well,
      }),
    );
  await note(5001, hostile);
  await note(5002, 'stringer');
  await open(tabs.query);
  const list = within(await part(notesWords.heading));
  expect(list.getAllByRole('listitem')).toHaveLength(1);
  expect(list.getByRole('listitem')).toHaveTextContent(hostile);
  expect(within(await part(two.name)).getByText(w.limited(2))).toBeInTheDocument();
  // Its calculated columns say what they say above and in a table of the window.
  expect(within(await part(two.name)).getByText(/lost has no values/)).toBeInTheDocument();
  expect(within(await part(two.name)).getByText(words.results.merged.wells)).toBeInTheDocument();
  // Another window removes it.
  const id = '00000000-0000-4000-8000-000000005001';
  await session().app.api.notes.remove({ connection, id });
  await press(w.refresh);
  await expect.poll(async () => within(await tab()).queryAllByRole('listitem')).toEqual([]);
  await open(tabs.otherQuery);
  await expect
    .poll(async () =>
      within(await tab())
        .queryAllByRole('listitem')
        .map(({ textContent }) => textContent),
    )
    .toEqual([expect.stringMatching(/7,210.*7,232 ft: stringer$/)]);
});
