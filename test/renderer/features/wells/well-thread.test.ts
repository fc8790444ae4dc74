import { describe, expect, it } from 'vitest';
import { createWellThread } from '../../../../src/renderer/features/wells/list/client.ts';
import { createFoundWells, firstInView } from '../../../../src/renderer/features/wells/list/found-wells.ts';
import { packWell, wellsIn } from '../../../../src/shared/wells/packed-wells.ts';
import type { LongCatalogueEvent } from '../../../../src/shared/catalogue/catalogue.ts';
import { packedWell, type Well } from '../../../../src/shared/wells/wells.ts';
import { wellOf } from '../../../support/wells.ts';
import { threadHere, wellsOf, workerHere } from './thread-here.ts';

const question = { text: '', filter: {}, sort: { by: 'name', descending: false } } as const;
const [a, b, c] = [wellOf(1, 'A', 11), wellOf(2, 'B', 12), wellOf(3, 'C', 13)];
const items = (source: 'kept' | 'service', ...wells: Well[]): LongCatalogueEvent => ({
  kind: 'items',
  source,
  text: JSON.stringify(wells.map(packWell)),
});
const whole = (source: 'kept' | 'service'): LongCatalogueEvent => ({ kind: 'whole', source, asOf: '2026' });
const namesOf = (wells: readonly Well[] | null) => (wells ?? []).map(({ name }) => name).join('');
const many = (count: number) => Array.from({ length: count }, (_, at) => wellOf(at, `W ${at}`, at + 10_000));

async function seenAfter(...events: (LongCatalogueEvent | 'begin' | 'end')[]): Promise<string> {
  const thread = threadHere();
  for (const event of events)
    if (typeof event === 'string') thread[event]('all');
    else thread.hear('all', event);
  return namesOf(wellsOf(await thread.find('all', question, firstInView)));
}

describe('a list that comes in', () => {
  it.each([
    ['grows while nothing else is seen', ['begin', items('kept', a), items('kept', b)], 'AB'],
    [
      'stays as it was kept until the service has said all',
      ['begin', items('kept', a), whole('kept'), items('service', b)],
      'A',
    ],
    [
      'is what the service says then',
      ['begin', items('kept', a), whole('kept'), items('service', b), whole('service')],
      'B',
    ],
    [
      'is empty when the service says that nothing is left',
      ['begin', items('kept', a), whole('kept'), whole('service')],
      '',
    ],
    [
      'stays when the service says the same',
      ['begin', items('kept', a), whole('kept'), { kind: 'same', asOf: '2026' }],
      'A',
    ],
    [
      'is not what was kept where that is damaged',
      ['begin', items('kept', a), { kind: 'damaged' }, items('service', b)],
      'B',
    ],
    [
      'stays while another comes, and when that breaks off',
      ['begin', items('kept', a), whole('kept'), 'begin', items('kept', b), 'end'],
      'A',
    ],
    [
      'gives way to one that is whole',
      ['begin', items('kept', a), whole('kept'), 'begin', items('kept', b), items('kept', c), whole('kept')],
      'BC',
    ],
  ] as [string, (LongCatalogueEvent | 'begin' | 'end')[], string][])('%s', async (_says, events, seen) => {
    expect(await seenAfter(...events)).toBe(seen);
  });
});

describe('the thread of the wells', () => {
  it('gives the rows in view with what it found, and others as they are looked at', async () => {
    const thread = threadHere();
    thread.begin('all');
    thread.hear('all', items('service', ...many(1000)));
    const found = await thread.find('all', question, { from: 500, to: 540 });
    expect(found).toMatchObject({ length: 1000, withAsset: 1000 });
    expect([found.at(499), found.at(500)?.name, found.at(540)]).toEqual([undefined, 'W 500', undefined]);
    expect(found.load(500, 540)).toBeNull();
    await found.load(990, 1010);
    expect([found.at(999)?.name, found.at(1000)]).toEqual(['W 999', undefined]);
    expect((await found.slice(3, 5)).map(({ name }) => name)).toEqual(['W 3', 'W 4']);
    expect(await found.locate('w 77', 78)).toBe(770);
    expect(await found.locate('x', 0)).toBeNull();
  });

  it('goes on giving what was found while others take the place of its list', async () => {
    const thread = threadHere();
    thread.begin('all');
    thread.hear('all', items('kept', ...many(300)));
    thread.hear('all', whole('kept'));
    const found = await thread.find('all', question, firstInView);
    thread.hear('all', items('service', c));
    thread.hear('all', whole('service'));
    await found.load(200, 201);
    expect(found.at(200)?.name).toBe('W 200');
    expect(namesOf(wellsOf(await thread.find('all', question, firstInView)))).toBe('C');
  });

  it('finds again what it has released in favor of other results', async () => {
    const thread = threadHere();
    thread.begin('all');
    thread.hear('all', items('service', ...many(300)));
    const shown = await thread.find('all', question, firstInView);
    for (let other = 0; other < 30; other += 1)
      await thread.find('all', { ...question, text: `w ${other}` }, firstInView);
    await shown.load(200, 201);
    expect(shown.at(200)?.name).toBe('W 200');
    for (let other = 0; other < 30; other += 1) await thread.find('all', question, firstInView);
    expect(await shown.locate('w 299', 0)).toBe(299);
  });

  it('sorts by the names that hold now, also where there are as many as before', async () => {
    const thread = threadHere();
    thread.begin('all');
    const rigs = [wellOf(1, 'A', 11, { rigId: 1 }), wellOf(2, 'B', 12, { rigId: 2 })];
    thread.hear('all', items('service', ...rigs));
    const sort = { by: 'rigId', descending: false } as const;
    const inOrder = async (first: string, second: string) => {
      const names = new Map([
        [1, first],
        [2, second],
      ]);
      return namesOf(wellsOf(await thread.find('all', { ...question, sort, names }, firstInView)));
    };
    expect(await inOrder('Alpha', 'Bravo')).toBe('AB');
    expect(await inOrder('Zulu', 'Bravo')).toBe('BA');
  });

  it('finds by words of name, API number with and without dashes, and asset id; never by the platform id', async () => {
    const thread = threadHere();
    thread.begin('all');
    const api = { apiNumber: '42-123-45678-00-00' };
    const wells = [
      wellOf(7001, 'Ridge A-100H', 1001, api),
      wellOf(7002, 'Ridge C-102H', 1002),
      wellOf(1001, 'Basin 7', 2001),
    ];
    thread.hear('all', items('service', ...wells));
    const found = async (text: string) => (await thread.search(text, 10)).map(({ name }) => name);
    expect(await found('ridge')).toEqual(['Ridge A-100H', 'Ridge C-102H']);
    expect(await found('102h  RIDGE')).toEqual(['Ridge C-102H']);
    expect(await found('42-123-45678')).toEqual(['Ridge A-100H']);
    expect(await found('4212345678')).toEqual(['Ridge A-100H']);
    expect(await found('1001')).toEqual(['Ridge A-100H']);
    expect(await found('7002')).toEqual([]);
    expect(await thread.search('', 2)).toHaveLength(2);
  });

  it('knows the wells that a text may speak of, and offers all of a short list, of a long one those that fit', async () => {
    const thread = threadHere();
    thread.begin('all');
    thread.hear('all', items('service', a, b));
    const mentioned = async (typed: string | null) =>
      namesOf(await thread.mentioned({ ids: [11, 2], names: ['a'], typed }));
    expect(await mentioned(null)).toBe('AB');
    expect(namesOf(await thread.mentioned({ ids: [], names: [], typed: 'zzz' }))).toBe('AB');
    thread.hear('all', items('service', ...many(500)));
    expect(await thread.mentioned({ ids: [], names: [], typed: 'w 499' })).toHaveLength(1);
    expect(await thread.mentioned({ ids: [], names: [], typed: '' })).toHaveLength(200);
  });

  it('that dies tells who waits and who asks, until the wells are loaded again', async () => {
    const workers = [workerHere(), workerHere()];
    let started = 0;
    const thread = createWellThread(() => {
      started += 1;
      return (workers[started - 1] ?? workerHere()).worker;
    });
    const lost: unknown[] = [];
    thread.onLost((error) => lost.push(error));
    thread.begin('all');
    thread.hear('all', items('service', a));
    const waiting = thread.find('all', question, firstInView);
    workers[0]?.die();
    expect(lost).toMatchObject([{ code: 'internal', details: { problem: 'out of memory' } }]);
    await expect(waiting).rejects.toMatchObject({ code: 'internal' });
    await expect(thread.look('all')).rejects.toMatchObject({ details: { problem: 'out of memory' } });
    thread.begin('all');
    thread.hear('all', items('service', a));
    expect(await thread.look('all')).toMatchObject({ count: 1 });
    expect(started).toBe(2);
  });

  it('that was closed starts no other for who asks late', async () => {
    let started = 0;
    const thread = createWellThread(() => {
      started += 1;
      return { ...workerHere().worker, postMessage: () => undefined };
    });
    thread.begin('all');
    const waiting = thread.look('all');
    thread.close();
    await expect(waiting).rejects.toMatchObject({ code: 'internal' });
    await expect(thread.look('all')).rejects.toMatchObject({ code: 'internal' });
    expect(started).toBe(1);
  });
});

describe('wells that were found', () => {
  it('come in blocks, each asked for once, and the oldest go', async () => {
    const asked: number[] = [];
    const found = createFoundWells(
      { count: 10_000, withAsset: 10_000, from: 0, wells: [] },
      {
        rows: async ({ from, to }) => {
          asked.push(from);
          return many(to - from);
        },
        locate: async () => null,
      },
    );
    await Promise.all([found.load(0, 150), found.load(50, 90)]);
    expect(asked).toEqual([0, 100]);
    for (let block = 2; block < 70; block += 1) await found.load(block * 100, block * 100 + 1);
    expect([found.at(0), found.at(6900)?.name]).toEqual([undefined, 'W 0']);
    expect(found.inView()).toEqual({ from: 50, to: 90 });
  });
});

describe('a part of the list', () => {
  it.each(['{}', '[1]', '[{"name":"A"}]', '[[1, 2]]', 'hello'])('is not taken for wells: %s', (text) => {
    expect(() => wellsIn(text)).toThrow(SyntaxError);
  });
  it('comes to the same wells, every field of them', () => {
    const full = wellOf(7, 'Ridge A-100H', 5003, {
      status: 'active',
      state: 'drilling',
      visibility: 'visible',
      identifier: 'RA-100',
      apiNumber: '42-123-45678',
      area: 'North',
      companyId: 1,
      lastActiveAt: '2026-01-01T00:00:00Z',
      programId: 2,
      padId: 3,
      rigId: 4,
      fracFleetId: 5,
      drilloutUnitId: 6,
      startedAt: '2025-01-01T00:00:00Z',
      position: [-102.5, 31.5],
    });
    expect(wellsIn(JSON.stringify([full].map(packWell)))).toEqual([full]);
    expect(packedWell.parse(packWell(full))).toEqual(packWell(full));
  });
  it('may be empty', () => {
    expect(wellsIn('[]')).toEqual([]);
  });
});
