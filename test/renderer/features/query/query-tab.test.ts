import { describe, expect, it, vi } from 'vitest';
import { AppError, invalidInput } from '../../../../src/shared/errors/errors.ts';
import type { RecordPage } from '../../../../src/shared/query/query.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';
import { recordsApiWith, recordPage, recordsBeside } from '../../../support/records.ts';
import { firstRecords, type ResultsDependencies } from '../../../../src/renderer/features/results/results.ts';
import type { RecordsApi } from '../../../../src/renderer/features/records/request.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';
import { hasFilter, type Filter } from '../../../../src/shared/language/text/filters.ts';
import { wellWith } from '../../../support/wells.ts';
import { plainView } from '../../../../src/shared/tabs/tabs.ts';
import { queryKind } from '../../../../src/renderer/features/query/query-kind.ts';
import { createQueryTab, type QueryTab } from '../../../../src/renderer/features/query/query-tab.ts';
import { countKey, runKey } from '../../../../src/renderer/features/query/question-keys.ts';
import { questionText } from '../../../../src/shared/query/question.ts';
import { defaultSettings } from '../../../../src/shared/settings/settings.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { made } from '../datasets/made.ts';

const wits = made('wits', { friendlyName: 'WITS' });

/** A tab whose service is a function, with a log of the released results. */
function tabOn(
  find: (request: unknown, signal: AbortSignal | undefined) => Promise<RecordPage>,
  watchUnits: ResultsDependencies['watchUnits'] = () => () => undefined,
  pipeline: (request: { readonly stages: string }) => Promise<RecordPage> = () =>
    Promise.reject(new Error('it was not asked')),
  fields: readonly DatasetField[] = [],
  run: RecordsApi['sql']['run'] = () => Promise.reject(new Error('it was not asked')),
) {
  /** The service's clock is 3 h ahead of this computer's. */
  const serviceMs = 1_700_000_000_000 + 3 * 3_600_000;
  const { records, sent, die } = recordsBeside({
    ...recordsApiWith({ find: (input, options) => find(input, options?.signal), pipeline }),
    sql: { run },
  });
  const tab = createQueryTab(
    {
      api: {
        query: {
          count: async (input) => ({ count: (input.query ?? '').length, ms: 1 }),
          now: async () => ({ ms: serviceMs }),
          describe: () => Promise.reject(new Error('it was not asked')),
          find: () => Promise.reject(new Error('it was not asked')),
          pipeline,
        },
      },
      records,
      views: { read: async () => plainView, write: () => undefined },
      watchUnits,
      now: () => 42,
      defaults: () => defaultSettings,
      initialZone: () => 'utc',
      beginHistoryEntry: () => () => undefined,
      fields: async () => fields,
      values: () => ({ wells: [assetId.parse(5001)], company: 1, now: 1_700_000_000_000, zone: 'UTC' }),
    },
    {
      connection: 'sample',
      dataset: wits,
      number: 1,
      scope: () => undefined,
      wells: () => [wellWith(5001)],
      selectWells: () => undefined,
      nameOfWell: (id) => (id === 5002 ? 'Mesa' : undefined),
    },
  );
  const released = () => sent('release');
  return { tab, released, sent, die };
}
const faceOf = (tab: QueryTab) => tab.results.store.getState().run.status;
const waitForAbort = (_: unknown, signal: AbortSignal | undefined) =>
  new Promise<RecordPage>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new AppError('cancelled', {})));
  });

describe('a query tab', () => {
  it('counts a find, and never the hidden find of a pipeline or a statement', async () => {
    const { tab } = tabOn(async () => recordPage('[]'));
    tab.actions.type('find', { query: '{ mine: 1 }' });
    for (const mode of ['pipeline', 'sql'] as const) {
      tab.actions.switchTo(mode);
      await tab.actions.count();
      expect(tab.store.getState()).toMatchObject({ count: { status: 'idle' }, lastKeys: { counted: null } });
    }
    tab.actions.switchTo('find');
    await tab.actions.count();
    expect(tab.store.getState().count.status).toBe('loaded');
  });

  it('knows that the result in view is of an earlier query after a later run failed or was canceled', async () => {
    let answer: Parameters<typeof tabOn>[0] = async () => recordPage('[{"a":1}]');
    const { tab } = tabOn((...call) => answer(...call));
    const isCurrent = () => {
      const { text, lastKeys } = tab.store.getState();
      return lastKeys.run === runKey({ text, values: tab.values() });
    };
    tab.actions.type('find', { query: '{ asset_id: 5001 }', limit: '1' });
    await tab.actions.run();
    expect(isCurrent()).toBe(true);
    const second = '{ asset_id: 5002 }';
    tab.actions.type('find', { query: second });
    answer = async () => Promise.reject(new AppError('internal', { problem: 'a test' }));
    await tab.actions.run();
    expect([faceOf(tab), isCurrent()]).toEqual(['failed', false]);
    answer = waitForAbort;
    const running = tab.actions.run();
    await expect.poll(() => faceOf(tab)).toBe('running');
    expect(isCurrent()).toBe(true);
    tab.results.actions.cancel();
    await running;
    expect([faceOf(tab), isCurrent()]).toEqual(['cancelled', false]);
    // The result in view is of this query.
    tab.actions.type('find', { query: '{ asset_id: 5001 }' });
    expect(isCurrent()).toBe(true);
    tab.actions.type('find', { query: second });
    answer = async () => recordPage('[{"a":2}]');
    await tab.actions.run();
    expect(isCurrent()).toBe(true);
  });

  it('has the units of a statement without those of fields, and none of fields that a pipeline computes', async () => {
    const columns = [{ name: 'md', type: 'DOUBLE', unit: 'ft', isComputed: false }];
    const { tab: sqlTab } = tabOn(waitForAbort, undefined, undefined, [], async () => ({
      ...recordPage('[{"md":1}]'),
      columns,
      cut: 0,
      hasMore: false,
    }));
    sqlTab.actions.switchTo('sql');
    sqlTab.actions.type('sql', { statement: 'SELECT md FROM las' });
    await sqlTab.actions.run();
    expect([...sqlTab.results.store.getState().units]).toEqual([['md', 'ft']]);

    const units = new Map([
      ['data.rop', 'ft/h'],
      ['data.wob', 'klbf'],
    ]);
    const watchUnits = (_: unknown, onUnits: (of: typeof units) => void) => {
      onUnits(units);
      return () => undefined;
    };
    const { tab } = tabOn(waitForAbort, watchUnits, async () => recordPage('[{"data":{"rop":1,"wob":2}}]'));
    tab.actions.switchTo('pipeline');
    tab.actions.type('pipeline', { stages: '[{ $set: { "data.rop": { $multiply: ["$data.rop", 0.3] } } }]' });
    await tab.actions.run();
    expect([...tab.results.store.getState().units]).toEqual([['data.wob', 'klbf']]);
  });

  it('requests the units of its fields again with the next result, so that a failed request isn’t final', async () => {
    const watched: string[] = [];
    const { tab } = tabOn(
      async () => recordPage('[{"a":1}]'),
      ({ dataset }) => {
        watched.push(dataset);
        return () => watched.push('stopped');
      },
    );
    await tab.actions.run();
    await tab.actions.run();
    expect(watched).toEqual(['wits', 'stopped', 'wits']);
  });

  it('keeps its records until the next result, even if a run fails', async () => {
    let isFailing = false;
    let page = 0;
    const { tab } = tabOn(async () => {
      if (isFailing) throw new AppError('forbidden', { service: 'data' });
      return recordPage(`[{"a":${(page += 1)}},{"a":2}]`);
    });
    await tab.actions.run();
    const { lastResult: first } = tab.results.store.getState();
    expect(await firstRecords(tab.results, false)).toBe('[{"a":1},{"a":2}]');
    isFailing = true;
    await tab.actions.run();
    expect(faceOf(tab)).toBe('failed');
    expect(await firstRecords(tab.results, false)).toBe('[{"a":1},{"a":2}]');
    isFailing = false;
    await tab.actions.run();
    expect(await firstRecords(tab.results, false)).toBe('[{"a":2},{"a":2}]');
    // The records of the first result are released.
    await expect(first?.held.record(0)).rejects.toMatchObject({ code: 'internal' });
  });

  it('starts with a query of its wells and runs the typed text', async () => {
    const requests: unknown[] = [];
    const { tab } = tabOn(async (request) => {
      requests.push(request);
      return recordPage('[{"a":1},{"a":2}]');
    });
    tab.actions.type('find', { limit: '2' });
    await tab.actions.run();
    expect(requests).toMatchObject([
      { dataset: 'wits', query: '{ asset_id: 5001 }', sort: '{ timestamp: -1 }', limit: 2 },
    ]);
    const { run } = tab.results.store.getState();
    expect(run).toMatchObject({
      status: 'loaded',
      value: { records: 2, limit: 2, head: { rows: 2 } },
    });
  });

  it('stores the query with a count, and with a result', async () => {
    const { tab } = tabOn(async () => recordPage('[{"a":1}]'));
    const now = () => {
      const { text, lastKeys } = tab.store.getState();
      return [
        lastKeys.counted && lastKeys.counted === countKey({ text, values: tab.values() }),
        lastKeys.run && lastKeys.run === runKey({ text, values: tab.values() }),
      ];
    };
    expect(now()).toEqual([null, null]);
    await tab.actions.count();
    await tab.actions.run();
    expect(now()).toEqual([true, true]);
    tab.actions.type('find', { limit: '7' });
    expect(now()).toEqual([true, false]);
    tab.actions.type('find', { query: '{ a: 2 }' });
    expect(now()).toEqual([false, false]);
    await tab.actions.run();
    await tab.actions.count();
    tab.actions.switchTo('pipeline');
    expect(now()).toEqual([false, false]);
    tab.actions.switchTo('find');
    expect(now()).toEqual([true, true]);
  });

  it('runs another query when the selected wells change, if its text names them', () => {
    const text = questionText.parse({ find: { query: '{ asset_id: {{wells}} }' } });
    const of = (...wells: number[]) =>
      countKey({ text, values: { wells: wells.map((well) => assetId.parse(well)), company: 1 } });
    expect(of(1)).toBe(of(1));
    expect(of(1)).not.toBe(of(1, 2));
  });

  it('reports that its records thread crashed, and works again', async () => {
    const { tab, die } = tabOn(async () => recordPage('[{"a":1}]'));
    await tab.actions.run();
    expect(faceOf(tab)).toBe('loaded');
    die();
    await vi.waitFor(() => expect(faceOf(tab)).toBe('failed'));
    await tab.actions.run();
    expect(faceOf(tab)).toBe('loaded');
    // A request to the thread that crashes fails, too.
    const { run } = tab.results.store.getState();
    const record = run.status === 'loaded' ? run.value.held.summary(['a']) : null;
    die();
    await expect(record).rejects.toMatchObject({ code: 'internal' });
  });

  it('is passed to other features, such as an export, with its parameters replaced', async () => {
    const { tab } = tabOn(waitForAbort);
    tab.actions.type('find', { query: '{ asset_id: {{wells}}, a: {{ask:a}} }' });
    await expect(tab.actions.bound()).rejects.toMatchObject({ code: 'invalid_input' });
    tab.actions.answer('a', '3');
    expect((await tab.actions.bound()).find.query).toBe('{ asset_id: 5001, a: 3 }');
  });

  it('has the service’s time as the current one, in a run and in other features', async () => {
    const queries: unknown[] = [];
    const { tab } = tabOn(async (request) => {
      queries.push(request);
      return recordPage('[]');
    });
    tab.actions.type('find', { query: '{ timestamp: { $gte: {{now-1h}} } }' });
    await tab.actions.run();
    const query = '{ timestamp: { $gte: 1700007200000 } }';
    expect(queries).toEqual([expect.objectContaining({ query })]);
    expect((await tab.actions.bound()).find.query).toBe(query);
  });

  it('reports that it is running, and can be canceled', async () => {
    const { tab } = tabOn(waitForAbort);
    const run = tab.actions.run();
    expect(tab.results.store.getState().run).toEqual({ status: 'running', since: 42 });
    tab.actions.cancel();
    await run;
    expect(faceOf(tab)).toBe('cancelled');
  });

  it('sends nothing that is invalid, and names the field', async () => {
    const { tab } = tabOn(() => Promise.reject(new Error('sent')));
    tab.actions.type('find', { query: '{}', limit: 'many' });
    await tab.actions.run();
    expect(tab.results.store.getState().run).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_input' },
    });
    expect(tab.store.getState().problems).toMatchObject({ limit: { message: words.query.wholeNumber } });
    tab.actions.type('find', { limit: '5' });
    expect(tab.store.getState().problems.limit).toBeUndefined();
  });

  it('shows errors of the main process at the query', async () => {
    const { tab } = tabOn(() => Promise.reject(invalidInput('no }', { field: 'query', line: 2, column: 3 })));
    await tab.actions.run();
    expect(tab.store.getState().problems.query).toEqual({ message: 'no }', line: 2, column: 3 });
  });

  it('releases the records of a result when the next one is requested, and when it closes', async () => {
    const texts = ['[1]', '[2]'];
    const { tab, released } = tabOn(async () => recordPage(texts.shift() ?? '[]'));
    await tab.actions.run();
    await tab.actions.run();
    expect(released()).toEqual([1]);
    tab.actions.close();
    expect(released()).toEqual([1, 2]);
  });

  it('keeps only the newer of two runs', async () => {
    const first = Promise.withResolvers<RecordPage>();
    const answers = [first.promise, Promise.resolve(recordPage('["new"]'))];
    const { tab, released } = tabOn(() => answers.shift() ?? Promise.reject(new Error('asked too often')));
    const older = tab.actions.run();
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    await tab.actions.run();
    first.resolve(recordPage('["old"]'));
    await older;
    const { run } = tab.results.store.getState();
    expect(run.status === 'loaded' && (await run.value.held.record(0))).toBe('new');
    expect(released()).toEqual([]);
  });

  it('shows one record, and closes it with the result', async () => {
    const { tab } = tabOn(async () => recordPage('[{"a":1},{"a":2}]'));
    await tab.actions.run();
    await tab.results.actions.select(1);
    expect(tab.results.store.getState()).toMatchObject({
      selected: 1,
      record: { status: 'loaded', value: { a: 2 } },
    });
    await tab.actions.run();
    expect(tab.results.store.getState()).toMatchObject({ selected: null, record: { status: 'idle' } });
  });

  it('has the number of the record in view until the next one is loaded', async () => {
    const { tab } = tabOn(async () => recordPage('[{"a":1},{"a":2}]'));
    await tab.actions.run();
    const { actions, store } = tab.results;
    await actions.select(0);
    const next = actions.select(1);
    const first = { record: { value: { a: 1 } }, recordRow: 0 };
    expect(store.getState()).toMatchObject({ selected: 1, ...first });
    await next;
    expect(store.getState()).toMatchObject({ selected: 1, record: { value: { a: 2 } }, recordRow: 1 });
  });

  it('loads the rest of a result that stayed after a run failed', async () => {
    let isFailing = false;
    const { tab, sent } = tabOn(async () => {
      if (isFailing) throw new AppError('forbidden', { service: 'data' });
      return recordPage('[{"a":1}]');
    });
    await tab.actions.run();
    isFailing = true;
    await tab.actions.run();
    await tab.results.actions.loadAll();
    expect(sent('ask')).toContainEqual(expect.objectContaining({ name: 'load' }));
  });

  it('is sorted and filtered from its result', async () => {
    const requests: unknown[] = [];
    const { tab } = tabOn(async (request) => {
      requests.push(request);
      return recordPage('[]');
    });
    tab.actions.sortBy('data.rop', 'descending');
    await vi.waitFor(() => expect(requests).toMatchObject([{ sort: '{ "data.rop": -1 }' }]));
    expect(await tab.actions.filterBy('data.state', 'In Slips')).toBe(true);
    expect(await tab.actions.filterBy('asset_id', 5001)).toBe(true);
    expect(tab.store.getState().text.find.query).toBe('{ "data.state": "In Slips", asset_id: 5001 }');
    tab.actions.type('find', { query: '{ broken' });
    expect(await tab.actions.filterBy('data.state', 'In Slips')).toBe(false);
    expect(tab.store.getState().text.find.query).toBe('{ broken');
  });

  it('is filtered by cells without a value, which a number such as -999.25 says, too', async () => {
    const rop: DatasetField = { path: 'data.rop', from: 'sample', types: ['number'] };
    const { tab } = tabOn(async () => recordPage('[]'), undefined, undefined, [rop]);
    await tab.actions.filterBy('data.rop', null);
    await tab.actions.filterBy('data.state', null);
    const { query } = tab.store.getState().text.find;
    expect(query).toMatch(/"data.rop": \{ \$in: \[null, -999.25,.*"data.state": null/);
  });

  it('is filtered by what the rig does: at once by sampled states, then by those of the wells and of others', async () => {
    const answers: PromiseWithResolvers<RecordPage>[] = [];
    const { tab } = tabOn(
      async () => recordPage('[]'),
      undefined,
      () => {
        const answer = Promise.withResolvers<RecordPage>();
        answers.push(answer);
        return answer.promise;
      },
    );
    const filter: Filter = { path: 'data.state', operator: 'is', values: ['Drilling'] };
    const conditions = () => tab.store.getState().text.find.query;
    const widened: Filter = { ...filter, operator: 'oneOf', values: ['Drilling', 'Slide Drilling'] };
    const ofWells = recordPage('[{"_id":"Slide Drilling","records":1},{"_id":"Tripping","records":1}]');
    const later = { query: '{ "data.state": "Tripping" }' };
    for (const isChanged of [false, true]) {
      tab.actions.type('find', { query: '{}' });
      answers.length = 0;
      const done = tab.actions.filterByStates({ id: 'onBottom', filter });
      await vi.waitFor(() => expect(answers).toHaveLength(2));
      expect(hasFilter(conditions(), filter)).toBe(true);
      if (isChanged) tab.actions.type('find', later);
      answers[0]?.resolve(ofWells);
      answers[1]?.reject(new AppError('timed_out', { service: 'data', host: 'x', afterMs: 1 }));
      await done;
      expect(tab.store.getState().incompleteFilter).toEqual(widened);
      expect([isChanged, hasFilter(conditions(), widened)]).toEqual([isChanged, !isChanged]);
    }
    expect(conditions()).toBe(later.query);
    // All states of the wells are enough.
    tab.actions.type('find', { query: '{ asset_id: 5001 }' });
    answers.length = 0;
    const done = tab.actions.filterByStates({ id: 'onBottom', filter: { ...filter, path: 'data.activity' } });
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[0]?.resolve(ofWells);
    answers[1]?.reject(new AppError('timed_out', { service: 'data', host: 'x', afterMs: 1 }));
    await done;
    expect(conditions()).toContain('Slide Drilling');
    expect(tab.store.getState().incompleteFilter).toEqual(widened);
    tab.actions.type('find', { query: '{}' });
    answers.length = 0;
    const again = tab.actions.filterByStates({ id: 'onBottom', filter });
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    for (const answer of answers) answer.resolve(ofWells);
    await again;
    expect(tab.store.getState().incompleteFilter).toBeNull();
  });

  it('is sorted from its result as it was run, and keeps what was typed since, unsent', async () => {
    const requests: unknown[] = [];
    const { tab } = tabOn(async (request) => {
      requests.push(request);
      return recordPage('[{"a":1}]');
    });
    tab.actions.type('find', { query: '{ asset_id: 5001 }' });
    await tab.actions.run();
    tab.actions.type('find', { query: '{ asset_id: 5001, half' });
    tab.actions.sortBy('data.rop', 'descending');
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]).toMatchObject({ query: '{ asset_id: 5001 }', sort: '{ "data.rop": -1 }' });
    await vi.waitFor(() => expect(faceOf(tab)).toBe('loaded'));
    const { text, lastKeys } = tab.store.getState();
    expect(text.find).toMatchObject({ query: '{ asset_id: 5001, half', sort: '{ "data.rop": -1 }' });
    // The result is that of another query than the typed one, and says so.
    expect(lastKeys.run).not.toBe(runKey({ text, values: tab.values() }));
  });

  it('is sorted the other way by each click on a header, also while the run of the last one lasts', async () => {
    const sorts: unknown[] = [];
    const { tab } = tabOn(async (request, signal) => {
      sorts.push(request);
      return waitForAbort(request, signal);
    });
    for (const direction of [1, -1, 1]) {
      tab.actions.sortBy('data.rop', 'other');
      await vi.waitFor(() => expect(sorts.at(-1)).toMatchObject({ sort: `{ "data.rop": ${direction} }` }));
    }
  });

  it('runs the query that was counted first, whatever is typed meanwhile', async () => {
    const requests: unknown[] = [];
    const { tab } = tabOn(async (request) => {
      requests.push(request);
      return recordPage('[]');
    });
    tab.actions.type('find', { query: '{ asset_id: 5001 }' });
    tab.actions.set({ countFirst: true });
    const running = tab.actions.run();
    tab.actions.type('find', { query: '{ asset_id: 5001, half' });
    await running;
    expect(requests).toMatchObject([{ query: '{ asset_id: 5001 }' }]);
  });

  it('is titled by the wells that its text asks for, and not by those that are selected beside it', async () => {
    const { tab } = tabOn(async () => recordPage('[]'));
    const title = () => queryKind.open(tab).content.title([wellWith(5001)]);
    expect(title()).toBe(words.tabs.query('WITS', 1, [wellWith(5001)]));
    tab.actions.type('find', { query: '{ asset_id: {{wells}}, "data.rop": ' });
    expect(title()).toBe(words.tabs.query('WITS', 1, [wellWith(5001)]));
    tab.actions.type('find', { query: '{ "data.rop": { $gt: 1 } }' });
    expect(title()).toBe(words.tabs.query('WITS', 1, []));
    tab.actions.type('find', { query: '{ asset_id: { $in: [5002, 5009] } }' });
    expect(title()).toBe(words.tabs.query('WITS', 1, [{ name: 'Mesa' }, { name: '5009' }]));
    tab.actions.type('find', { query: '{ asset_id: 5002 }' });
    expect(title()).toBe(words.tabs.query('WITS', 1, [{ name: 'Mesa' }]));
    tab.actions.type('find', { query: '{ half' });
    expect(title()).toBe(words.tabs.query('WITS', 1, []));
  });

  it('computes a summary whatever is drawn, and shows its form only to ask', async () => {
    const stages: unknown[] = [];
    const { tab } = tabOn(
      async () => recordPage('[{"a":1}]'),
      undefined,
      async (request) => {
        stages.push(request.stages);
        return recordPage('[]');
      },
    );
    const isMaximized = () => tab.results.store.getState().isMaximized;
    const byWell = {
      measures: [{ kind: 'mean', path: 'data.rop' }],
      groups: [{ path: 'asset_id', step: null }],
    } as const;
    await tab.actions.run();
    tab.results.actions.maximize(true);
    await tab.actions.summarize(byWell);
    expect([stages.length, isMaximized(), tab.store.getState().summaryStart]).toEqual([1, true, null]);
    tab.actions.type('pipeline', { stages: '[{ $mine: 1 }]' });
    await tab.actions.summarize(byWell);
    expect([stages.length, isMaximized()]).toEqual([1, false]);
    expect(tab.store.getState().text.pipeline.stages).toBe('[{ $mine: 1 }]');
    tab.results.actions.maximize(true);
    tab.actions.showExport(true);
    expect(isMaximized()).toBe(false);
  });

  it('computes a summary of the result in view, although another query is typed', async () => {
    const { tab } = tabOn(
      async () => recordPage('[{"a":1}]'),
      undefined,
      async () => recordPage('[]'),
    );
    const summaryAfter = async (change: () => void) => {
      tab.actions.switchTo('find');
      tab.actions.type('find', { query: '{ asset_id: {{wells}} }' });
      await tab.actions.run();
      change();
      await tab.actions.summarize({ measures: [], groups: [{ path: 'asset_id', step: null }] });
      return tab.store.getState().text.pipeline.stages;
    };
    // What is still typed keeps its parameters.
    expect(await summaryAfter(() => undefined)).toContain('$match: { asset_id: {{wells}} }');
    for (const change of [
      () => tab.actions.type('find', { query: '{ typed: 1 }' }),
      () => tab.actions.switchTo('pipeline'),
      () => tab.actions.switchTo('sql'),
    ])
      expect(await summaryAfter(change)).toMatch(/\$match: \{ asset_id: [^{]*5001/);
  });

  it('begins a summary with the usual figures of its fields, whatever is drawn, and waits while no field is known', async () => {
    const field: DatasetField = { path: 'data.rop', from: 'sample', types: ['number'] };
    const { tab } = tabOn(async () => recordPage('[]'), undefined, undefined, [field]);
    tab.results.actions.maximize(true);
    tab.actions.type('find', { query: '{ mine: 1 }' });
    await tab.actions.summarize(null);
    const { text, summaryStart } = tab.store.getState();
    expect([summaryStart, text.pipeline.view, tab.results.store.getState().isMaximized]).toEqual([
      null,
      'summary',
      false,
    ]);
    expect(text.pipeline.stages).toMatch(/mine: 1[^]*data\.rop/);
    // Nothing runs before the user has seen it.
    expect(faceOf(tab)).toBe('idle');

    const { tab: unknown } = tabOn(async () => recordPage('[]'));
    const before = unknown.store.getState().text.pipeline.stages;
    await unknown.actions.summarize(null);
    expect(unknown.store.getState()).toMatchObject({ summaryStart: { parts: null } });
    expect(unknown.store.getState().text.pipeline.stages).toBe(before);
  });

  it('shows its find again if it is sorted or filtered from the result of a find in another mode', async () => {
    let finds = 0;
    const { tab } = tabOn(async () => recordPage(`[{"a":${(finds += 1)}}]`));
    await tab.actions.run();
    tab.actions.switchTo('pipeline');
    expect(await tab.actions.filterBy('data.state', 'In Slips')).toBe(true);
    expect(tab.store.getState().text.mode).toBe('find');
    tab.actions.switchTo('pipeline');
    tab.actions.sortBy('data.rop', 'descending');
    await vi.waitFor(() => expect(finds).toBe(2));
    expect(tab.store.getState().text.mode).toBe('find');
  });

  it('counts by the query alone, whatever the limit', async () => {
    const { tab } = tabOn(waitForAbort);
    tab.actions.type('find', { limit: 'many' });
    tab.actions.type('find', { query: '  ' });
    await tab.actions.count();
    expect(tab.store.getState().count).toMatchObject({ status: 'loaded', value: { count: '{}'.length } });
  });
});
