import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { ScopedWell } from '../../../../src/shared/wells/wells.ts';
import { wellWith } from '../../../support/wells.ts';
import { AppError, invalidInput } from '../../../../src/shared/errors/errors.ts';
import type { RunNote } from '../../../../src/shared/contract/query.ts';
import { recordTimesOf, beginHistoryEntry } from '../../../../src/renderer/features/query/query-kind.ts';
import { WellIndex } from '../../../../src/renderer/features/wells/well-index.ts';
import type { Session } from '../../../../src/renderer/contexts.ts';
import { defaultSettings } from '../../../../src/shared/settings/settings.ts';
import { initialQuery, type RecordedQuery } from '../../../../src/renderer/features/query/query-tab.ts';

function watched(selected: readonly ScopedWell[] = [wellWith(5001)]) {
  const noted: Omit<RunNote, 'connection'>[] = [];
  const store = createStore(() => ({ text: initialQuery('time', [], undefined, defaultSettings) }));
  const query = { dataset: { provider: 'demo', dataset: 'wits' }, scopePath: () => 'asset_id' };
  const wells = createStore(() => ({
    list: { status: 'loaded', value: new WellIndex([{ ...wellWith(5002), name: 'Mesa' }]) },
  }));
  const session = {
    wells: { store: wells },
    history: { actions: { note: (run: Omit<RunNote, 'connection'>) => noted.push(run) } },
  } as unknown as Session;
  const type = (query: string) =>
    store.setState(({ text }) => ({ text: { ...text, find: { ...text.find, query } } }));
  const setStages = (stages: string) =>
    store.setState(({ text }) => ({
      text: { ...text, mode: 'pipeline' as const, pipeline: { ...text.pipeline, stages } },
    }));
  const start = () =>
    beginHistoryEntry(session, { ...query, ...store.getState() } as unknown as RecordedQuery, selected) as (
      end: object,
    ) => void;
  return { noted, type, setStages, start };
}

it('a result tells when the newest records of its wells are from', () => {
  const column = (name: string, kind: 'time' | 'integer', cells: readonly (number | undefined)[]) => ({
    path: [name],
    kind,
    characters: 4,
    cells,
  });
  const times = [1_700_000_000_000, 1_700_000_060_000, undefined];
  const head = {
    from: 0,
    rows: 3,
    columns: [column('asset_id', 'integer', [5001, 5002, 5001]), column('timestamp', 'time', times)],
  };
  expect(recordTimesOf({ head }, { type: 'time' })).toEqual([
    [5001, times[0]],
    [5002, times[1]],
  ]);
  expect(recordTimesOf({ head }, { type: 'depth' })).toEqual([]);
  expect(recordTimesOf({ head }, { type: null })).toEqual([]);
});

describe('recorded runs', () => {
  it('are added when they end, with the query from when they started', () => {
    const { noted, type, start } = watched();
    type('{ asset_id: {{wells}}, a: 1 }');
    const end = start();
    type('{ a: 2 }');
    end({ status: 'loaded', value: { records: 3, ms: 12 } });
    expect(noted).toMatchObject([
      { provider: 'demo', dataset: 'wits', mode: 'find', outcome: 'done', rows: 3, ms: 12, code: null },
    ]);
    expect(noted[0]?.question.find?.query).toBe('{ asset_id: {{wells}}, a: 1 }');
    expect(noted[0]?.wells).toMatchObject([{ assetId: 5001 }]);
  });

  it('have the wells that the query names, or none if it is for all wells', () => {
    const { noted, type, start } = watched();
    for (const query of ['{ asset_id: { $in: [5002, 5009] } }', '{ a: 1 }']) {
      type(query);
      start()({ status: 'cancelled' });
    }
    expect(noted.map(({ wells }) => wells.map(({ name }) => name))).toEqual([['Mesa', '5009'], []]);
  });

  it('have the wells that a later stage of a pipeline asks for', () => {
    const { noted, start, setStages } = watched();
    for (const second of ['{ asset_id: {{wells}} }', '{ b: 2 }']) {
      setStages(`[{ $match: { a: 1 } }, { $match: ${second} }]`);
      start()({ status: 'cancelled' });
    }
    expect(noted.map(({ wells }) => wells.map(({ assetId }) => assetId))).toEqual([[5001], []]);
  });

  it('name all wells in the query if they are too many for the list', async () => {
    const many = Array.from({ length: 120 }, (_, index) => wellWith(5001 + index));
    const { noted, type, start } = watched(many);
    type('{ asset_id: {{wells}}, timestamp: { $gte: {{now-24h}} } }');
    start()({ status: 'cancelled' });
    await expect.poll(() => noted).toHaveLength(1);
    expect(noted[0]?.wells).toHaveLength(100);
    const query = noted[0]?.question.find?.query ?? '';
    expect(query).toContain('5120]}');
    expect(query).toContain('{{now-24h}}');
  });

  it('have their result; requests that were never sent are not recorded', () => {
    const { noted, start } = watched();
    const ends = [
      { status: 'cancelled' },
      { status: 'failed', error: new AppError('timed_out', { service: 'data', host: 'h', afterMs: 1 }) },
      { status: 'failed', error: invalidInput('no }') },
      // It was replaced by another run.
      { status: 'running', since: 0 },
    ];
    for (const end of ends) {
      start()(end);
    }
    expect(noted.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['cancelled', null],
      ['failed', 'timed_out'],
    ]);
  });
});
