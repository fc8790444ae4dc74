import { clockToleranceMs } from '../../../../src/shared/instants.ts';
import { describe, expect, it } from 'vitest';
import {
  cardPaceMs,
  createActiveWells,
  datasetsOfCards,
  isSameSubject,
  maxCards,
  wellsWithCards,
} from '../../../../src/renderer/features/home/active-wells.ts';
import {
  recordOfCard,
  rigState,
  valueOnCard,
} from '../../../../src/renderer/features/home/newest-records.ts';
import { channelOf, noSynonyms, synonymsOf } from '../../../../src/shared/channels/channels.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { PipelineRequest } from '../../../../src/shared/query/query.ts';
import { hasAssetId, type ScopedWell } from '../../../../src/shared/wells/wells.ts';
import { wellOf, wellWith } from '../../../support/wells.ts';
import { made } from '../datasets/made.ts';
import { changeablePage } from '../live/support.ts';

const nowMs = Date.parse('2026-11-26T12:00:00Z');
const hourMs = 3_600_000;
const at = (iso: string) => ({ lastActiveAt: iso });

function activeWell(assetId: number, iso: string): ScopedWell {
  const well = wellOf(assetId - 4000, `W-${assetId}`, assetId, at(iso));
  if (!hasAssetId(well)) throw new Error('a well without an asset id');
  return well;
}

describe('the wells with a card', () => {
  const early = activeWell(5001, '2026-11-26T10:00:00Z');
  const late = activeWell(5002, '2026-11-26T11:00:00Z');
  const silent = wellWith(5003);

  it('are those with the latest activity; pinned ones come first, others without activity not at all', () => {
    expect(wellsWithCards([early, late, silent], new Set())).toEqual([late, early]);
    expect(wellsWithCards([early, late, silent], new Set([5003, 5001]))).toEqual([early, silent, late]);
  });

  it('have an asset id, and are limited', () => {
    const many = Array.from({ length: maxCards + 5 }, (_, n) => activeWell(6000 + n, '2026-11-26T10:00:00Z'));
    expect(
      wellsWithCards([wellOf(1, 'no asset', null, at('2026-11-26T11:00:00Z')), ...many], new Set()),
    ).toEqual(many.slice(0, maxCards));
  });
});

it('reads datasets over time, those named after WITS first', () => {
  const [frac, wits, completion, depth] = [
    made('frac.gauges'),
    made('wits'),
    made('completion.wits'),
    made('logs.wits', { type: 'depth' }),
  ];
  expect(datasetsOfCards([frac, completion, depth, wits])).toEqual([wits, completion, frac]);
});

describe('a record', () => {
  const channelName = (field: string) => channelOf(field, { synonyms: noSynonyms })?.channel.name;

  it('has depth and ROP by the dictionary of channels, whatever their names are', () => {
    expect(valueOnCard({ DMEA: 900, ROPA: 12.5 }, 'depth', channelName)).toEqual({
      field: 'data.DMEA',
      value: 900,
    });
    expect(valueOnCard({ bit_depth: 10, hole_depth: 900 }, 'depth', channelName)?.value).toBe(900);
    expect(valueOnCard({ DMEA: 900, ROPA: 12.5 }, 'rop', channelName)?.value).toBe(12.5);
  });

  it('has no depth where it is null, or a number that means null', () => {
    expect(valueOnCard({ hole_depth: -999.25, bit_depth: null }, 'depth', channelName)).toBeNull();
  });

  it('is that of drilling, unless another dataset has had one for an hour', () => {
    const drilling = (at: number) => ({ dataset: made('wits'), at, data: { hole_depth: 900 } });
    const pumping = { dataset: made('completion.wits'), at: nowMs, data: { stage: 3 } };
    expect(recordOfCard([pumping, drilling(nowMs - hourMs / 2)], new Map())?.dataset.dataset).toBe('wits');
    expect(recordOfCard([pumping, drilling(nowMs - 2 * hourMs)], new Map())).toBe(pumping);
    expect(recordOfCard([], new Map())).toBeNull();
  });

  it('is that of drilling also where the user named the channel of its depth', () => {
    const drilling = { dataset: made('wits'), at: nowMs - hourMs / 2, data: { profundidad_pozo: 900 } };
    const pumping = { dataset: made('completion.wits'), at: nowMs, data: { stage: 3 } };
    const synonyms = synonymsOf({ hole_depth: ['Profundidad pozo'], rop: ['Avance'] });
    expect(recordOfCard([pumping, drilling], new Map())).toBe(pumping);
    expect(recordOfCard([pumping, drilling], synonyms)).toBe(drilling);
  });

  it('has a state only as text', () => {
    expect(rigState({ State: 'In Slips' })).toBe('In Slips');
    expect(rigState({ state: 4 })).toBeNull();
  });
});

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Cards over a service that the test answers for, in an environment that the test changes. */
function cards() {
  const requests: PipelineRequest[] = [];
  const { around, page } = changeablePage();
  const service = {
    answer: (_request: PipelineRequest): readonly unknown[] | Promise<never> => [],
  };
  let [tick, beLate] = [(): void => undefined, (): void => undefined];
  const model = createActiveWells({
    api: {
      query: {
        // The clock of this computer is behind.
        now: async () => ({ ms: nowMs + 2 * hourMs }),
        async pipeline(request) {
          requests.push(request);
          const records = new TextEncoder().encode(JSON.stringify(await service.answer(request)));
          return { records, count: 1, total: null, ms: 1 };
        },
      },
    },
    connection: 'c',
    page,
    now: () => nowMs,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (ms === cardPaceMs) tick = resolve;
        else beLate = resolve;
        signal.addEventListener('abort', () => resolve());
      }),
  });
  const next = async () => {
    tick();
    await settled();
  };
  const late = async () => {
    beLate();
    await settled();
  };
  return { model, requests, around, service, next, late };
}

describe('the newest records of the cards', () => {
  const wells = [activeWell(5001, '2026-11-26T10:00:00Z'), activeWell(5002, '2026-11-26T11:30:00Z')];
  const datasets = [made('wits'), made('completion.wits')];
  const matches = ({ stages }: PipelineRequest): unknown => JSON.parse(stages)[0].$match.$or;

  it('come in one request for each dataset, whatever the number of wells, from an hour before the activity', async () => {
    const { model, requests } = cards();
    model.actions.follow({ wells, datasets });
    await settled();
    expect(requests.map(({ dataset }) => dataset)).toEqual(['wits', 'completion.wits']);
    const ranges = [
      { asset_id: 5001, timestamp: { $gte: nowMs - 3 * hourMs } },
      { asset_id: 5002, timestamp: { $gte: nowMs - 1.5 * hourMs } },
    ];
    expect(requests.map(matches)).toEqual([ranges, ranges]);
    // A rig whose clock is wrong would stay the newest for years.
    const { timestamp } = JSON.parse(requests[0]?.stages ?? '')[0].$match;
    expect(timestamp).toEqual({ $lte: nowMs + 2 * hourMs + clockToleranceMs });
  });

  it('are the latest of all datasets, and only later ones are read again', async () => {
    const { model, requests, service, next } = cards();
    service.answer = ({ dataset }) =>
      dataset === 'wits'
        ? [
            { _id: 5001, at: nowMs - 2000, data: { hole_depth: 900 } },
            { _id: 5002, at: nowMs - 9000, data: { hole_depth: 500 } },
          ]
        : [{ _id: 5002, at: nowMs - 1000, data: { stage: 3 } }];
    model.actions.follow({ wells, datasets });
    await settled();
    const { newest, readAt } = model.store.getState();
    const names = (assetId: number) => newest.get(assetId)?.map(({ dataset }) => dataset.dataset);
    expect([names(5001), names(5002)]).toEqual([['wits'], ['completion.wits', 'wits']]);
    expect(readAt).toBe(nowMs);
    service.answer = () => [];
    await next();
    expect(requests.slice(2).map(matches)).toEqual([
      [
        { asset_id: 5001, timestamp: { $gte: nowMs - 2000 } },
        { asset_id: 5002, timestamp: { $gte: nowMs - 9000 } },
      ],
      [
        { asset_id: 5001, timestamp: { $gte: nowMs - 3 * hourMs } },
        { asset_id: 5002, timestamp: { $gte: nowMs - 1000 } },
      ],
    ]);
    expect(model.store.getState().newest.get(5001)?.[0]?.data).toEqual({ hole_depth: 900 });
  });

  it('stay with an error when no dataset answers, and without one when some do', async () => {
    const { model, service, next } = cards();
    const refused = new AppError('unreachable', { service: 'data', host: 'data.example', reason: 'refused' });
    service.answer = () => [{ _id: 5001, at: nowMs, data: { hole_depth: 900 } }];
    model.actions.follow({ wells, datasets });
    await settled();
    service.answer = () => {
      throw refused;
    };
    await next();
    expect(model.store.getState()).toMatchObject({ error: refused, readAt: nowMs, isLate: false });
    expect(model.store.getState().newest.get(5001)?.[0]?.at).toBe(nowMs);
    service.answer = ({ dataset }) => {
      if (dataset === 'wits') throw refused;
      return [];
    };
    model.actions.retry();
    await settled();
    // A card without a record may have one in the other dataset.
    expect(model.store.getState()).toMatchObject({ error: null, unread: 1 });
    service.answer = () => [];
    await next();
    expect(model.store.getState()).toMatchObject({ unread: 0 });
  });

  it('are late while a service keeps the page waiting, and not any more after its response', async () => {
    const { model, service, late, next } = cards();
    model.actions.follow({ wells, datasets });
    await settled();
    await late();
    expect(model.store.getState().isLate).toBe(false);
    const slow = Promise.withResolvers<never>();
    service.answer = () => slow.promise;
    await next();
    await late();
    expect(model.store.getState()).toMatchObject({ isLate: true, error: null });
    slow.reject(new AppError('cancelled', {}));
    await settled();
    expect(model.store.getState()).toMatchObject({ isLate: false, error: { code: 'cancelled' } });
  });

  it('are not read in a hidden page, offline, or after the page is closed', async () => {
    const { model, requests, around, next } = cards();
    around.online = false;
    const stop = model.actions.follow({ wells, datasets });
    await settled();
    expect(model.store.getState().isOffline).toBe(true);
    around.online = true;
    around.hidden = true;
    around.changed();
    await settled();
    expect(requests).toEqual([]);
    around.hidden = false;
    around.changed();
    await settled();
    expect(requests).toHaveLength(2);
    stop();
    await next();
    around.changed();
    expect(requests).toHaveLength(2);
  });

  it('are not read again for lists that were loaded again with the same wells', () => {
    expect(isSameSubject({ wells, datasets }, { wells: [...wells], datasets: [...datasets] })).toBe(true);
    expect(isSameSubject({ wells, datasets }, { wells: wells.slice(1), datasets })).toBe(false);
    expect(isSameSubject({ wells, datasets }, { wells, datasets: datasets.toReversed() })).toBe(false);
  });
});
