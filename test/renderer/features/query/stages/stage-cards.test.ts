import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecordPage } from '../../../../../src/shared/query/query.ts';
import {
  refusalOf,
  createStageCards,
} from '../../../../../src/renderer/features/query/stages/stage-cards.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = '[\n  { $match: { a: 1 } }, // one\n  { $sort: { a: 1 } },\n  { $limit: 3 },\n]\n';

function cardsOn(text: string) {
  let now = text;
  const requests: { stages: string; signal: AbortSignal | undefined; answer: (records: string) => void }[] =
    [];
  const cards = createStageCards({
    api: {
      query: {
        pipeline: ({ stages }, options) =>
          new Promise<RecordPage>((resolve) => {
            const answer = (records: string) =>
              resolve({ records: Buffer.from(records), count: 1, total: null, ms: 2 });
            requests.push({ stages, signal: options?.signal, answer });
          }),
      },
    },
    target: { connection: 'c', provider: 'demo', dataset: 'wits' },
    text: () => now,
    write(next) {
      now = next;
      // As the view does for each text.
      cards.actions.follow(next);
    },
    bind: async (stages) => stages,
  });
  cards.actions.follow(now);
  const ids = () => (cards.store.getState().cards ?? []).map(({ id }) => id);
  const operators = () => (cards.store.getState().cards ?? []).map(({ operator }) => operator);
  const typed = (next: string) => {
    now = next;
    cards.actions.follow(next);
  };
  return { ...cards, requests, ids, operators, typed, text: () => now };
}

describe('the cards of a pipeline', () => {
  it('match the text, whichever of the two is changed', () => {
    const { actions, ids, operators, typed, text } = cardsOn(start);
    const [match, sort, limit] = ids();
    actions.shift(limit!, -1);
    expect(operators()).toEqual(['$match', '$limit', '$sort']);
    expect(ids()).toEqual([match, limit, sort]);
    expect(text()).toBe('[\n  { $match: { a: 1 } }, // one\n  { $limit: 3 },\n  { $sort: { a: 1 } },\n]\n');
    typed(text().replace('{ $limit: 3 }', '{ $limit: 30 }'));
    expect(ids()).toEqual([match, limit, sort]);
    typed(`[{ $skip: 1 }, ${text().slice(1)}`);
    expect(ids().slice(1)).toEqual([match, limit, sort]);
  });

  it('are removed, and restored unless the text has changed', () => {
    const { actions, ids, operators, store, typed, text } = cardsOn(start);
    actions.select(ids()[1]!);
    actions.remove(ids()[1]!);
    expect(operators()).toEqual(['$match', '$limit']);
    expect(store.getState()).toMatchObject({ removed: { operator: '$sort' }, selected: ids()[1] });
    actions.restoreRemoved();
    expect(text()).toBe(start);
    actions.remove(ids()[0]!);
    typed('[]');
    expect(store.getState().removed).toBeNull();
  });

  it('are added after the selected one, moved, and turned on and off', () => {
    const { actions, ids, operators, store, text } = cardsOn(start);
    actions.select(ids()[0]!);
    actions.add('{ $skip: 2 }');
    expect(operators()).toEqual(['$match', '$skip', '$sort', '$limit']);
    expect(store.getState().selected).toBe(ids()[1]);
    actions.move(new Set([ids()[3]!, ids()[2]!]), ids()[0]!);
    expect(operators()).toEqual(['$sort', '$limit', '$match', '$skip']);
    actions.toggle(ids()[3]!);
    expect(text()).toContain('// { $skip: 2 },');
    expect(store.getState().cards?.[3]).toMatchObject({ on: false, operator: '$skip' });
  });

  it('report why a stage is rejected', () => {
    const { store } = cardsOn('[{ $out: "x" }, { $mtach: {} }, { $match: {}, $sort: {} }, { $match: {} }]');
    expect(store.getState().cards?.map(({ operator }) => refusalOf(operator))).toEqual([
      'writes',
      'unknown',
      'unreadable',
      null,
    ]);
  });

  it.each(['{ $sort: { a: ', '', '[', '{ $sort: { a: 1 } }, {', "{ $sort: 'a"])(
    'stay while the text of one can’t be read: %s',
    (broken) => {
      const { actions, ids, operators, store, text } = cardsOn(start);
      const all = ids();
      for (const at of [1, 2]) {
        const id = all[at]!;
        const before = text();
        actions.select(id);
        actions.rewrite(id, broken);
        actions.follow(text());
        expect(ids()).toEqual(all);
        expect(text()).not.toBe(before);
        expect(store.getState()).toMatchObject({ selected: id, preview: { status: 'idle' } });
        actions.rewrite(id, '{ $skip: 1 }');
        expect(ids()).toEqual(all);
      }
      expect(operators()).toEqual(['$match', '$skip', '$skip']);
      actions.rewrite(all[1]!, broken);
      actions.remove(all[1]!);
      expect(text()).toBe('[\n  { $match: { a: 1 } }, // one\n  { $skip: 1 },\n]\n');
      expect(operators()).toEqual(['$match', '$skip']);
    },
  );

  it('are empty when the text can’t be read', () => {
    const { store, typed } = cardsOn(start);
    typed('[{');
    expect(store.getState()).toMatchObject({ cards: null, selected: null });
  });
});

describe('the preview of a stage', () => {
  it('is not requested for a rejected stage, unless it is turned off', async () => {
    const { actions, ids, requests, store } = cardsOn('[\n  { $match: {} },\n  { $out: "x" },\n]');
    actions.select(ids()[1]!);
    await vi.advanceTimersByTimeAsync(500);
    expect(requests).toEqual([]);
    expect(store.getState().preview).toEqual({ status: 'idle' });
    actions.toggle(ids()[1]!);
    await vi.advanceTimersByTimeAsync(500);
    expect(requests.map(({ stages }) => stages)).toEqual(['[{ $match: {} },\n{ $limit: 5 }]']);
  });

  it('waits for a pause in typing, requests a few records, and shows them', async () => {
    const { actions, ids, requests, store, typed, text } = cardsOn(start);
    actions.select(ids()[1]!);
    typed(text().replace('a: 1 }', 'a: 2 }'));
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(requests.map(({ stages }) => stages)).toEqual([
      '[{ $match: { a: 2 } },\n{ $sort: { a: 1 } },\n{ $limit: 5 }]',
    ]);
    requests[0]!.answer('[{"a":12345678901234567890}]');
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().preview).toMatchObject({
      status: 'loaded',
      value: { documents: [{ a: 12345678901234567890n }], sampled: null },
    });
  });

  it('is canceled by a change, and only the newest is shown', async () => {
    const { actions, ids, requests, store } = cardsOn(start);
    actions.select(ids()[0]!);
    await vi.advanceTimersByTimeAsync(500);
    actions.select(ids()[2]!);
    expect(requests[0]!.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    requests[0]!.answer('["old"]');
    requests[1]!.answer('["new"]');
    await vi.advanceTimersByTimeAsync(0);
    expect(store.getState().preview).toMatchObject({ value: { documents: ['new'] } });
    actions.close();
  });

  it('is requested again when the values of its parameters change', async () => {
    const { actions, ids, requests, store } = cardsOn('[{ $match: { asset_id: {{wells}} } }]');
    actions.select(ids()[0]!);
    await vi.advanceTimersByTimeAsync(500);
    requests[0]!.answer('["of one well"]');
    await vi.advanceTimersByTimeAsync(0);
    actions.refreshPreview();
    expect(store.getState().preview).toEqual({ status: 'loading' });
    await vi.advanceTimersByTimeAsync(500);
    expect(requests).toHaveLength(2);
    actions.close();
  });

  it('limits the records for a stage that processes all of them', async () => {
    const { actions, ids, requests } = cardsOn('[{ $match: {} }, { $group: { _id: 1 } }, { $limit: 3 }]');
    actions.select(ids()[1]!);
    await vi.advanceTimersByTimeAsync(500);
    expect(requests[0]!.stages).toBe(
      '[{ $match: {} },\n{ $limit: 1000 },\n{ $group: { _id: 1 } },\n{ $limit: 5 }]',
    );
  });
});
