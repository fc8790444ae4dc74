import { wellLabel } from '../../../../src/renderer/features/wells/wells-state.ts';
import { describe, expect, it } from 'vitest';
import { mentionedWells } from '../../../../src/renderer/features/query/editing/mentions.ts';
import { WellIndex } from '../../../../src/renderer/features/wells/well-index.ts';
import { packWell, parseWells } from '../../../../src/shared/wells/packed-wells.ts';
import { packedWell, type Well } from '../../../../src/shared/wells/wells.ts';
import { wellOf } from '../../../support/wells.ts';

const namesOf = (wells: readonly Well[]) => wells.map(({ name }) => name).join('');
const many = (count: number) => Array.from({ length: count }, (_, at) => wellOf(at, `W ${at}`, at + 10_000));

describe('listed wells', () => {
  it('sort by their current names, even when their number is the same as before', () => {
    const index = new WellIndex([wellOf(1, 'A', 11, { rigId: 1 }), wellOf(2, 'B', 12, { rigId: 2 })]);
    const sort = { by: 'rigId', descending: false } as const;
    const inOrder = (first: string, second: string) => {
      const names = new Map([
        [1, first],
        [2, second],
      ]);
      return namesOf(index.find({ text: '', filter: {}, sort, names }));
    };
    expect(inOrder('Alpha', 'Bravo')).toBe('AB');
    expect(inOrder('Zulu', 'Bravo')).toBe('BA');
  });

  it('with the same name are labeled with their asset ids', () => {
    const index = new WellIndex([
      wellOf(1, 'Ridge 1', 11),
      wellOf(2, 'Ridge 1', 12),
      wellOf(3, 'Ridge 2', 13),
      // The same well, listed twice.
      wellOf(4, 'Ridge 2', 13),
    ]);
    expect(Object.fromEntries(index.labels)).toEqual({
      11: 'Ridge 1 (11)',
      12: 'Ridge 1 (12)',
      13: 'Ridge 2',
    });
    expect(index.names.get('11')).toBe('Ridge 1');
    const labels = [wellOf(1, 'Ridge 1', 11), wellOf(9, 'Ridge 1', 99)].map((well) => wellLabel(index, well));
    expect(labels).toEqual(['Ridge 1 (11)', 'Ridge 1']);
  });

  it('are found by words of name, API number with and without dashes, and asset id; never by the platform id', () => {
    const index = new WellIndex([
      wellOf(7001, 'Ridge A-100H', 1001, { apiNumber: '42-123-45678-00-00' }),
      wellOf(7002, 'Ridge C-102H', 1002),
      wellOf(1001, 'Basin 7', 2001),
      wellOf(7003, 'State 16-36', 1003, { apiNumber: '4212345679' }),
    ]);
    const found = (text: string) => index.search(text).map(({ name }) => name);
    expect(found('ridge')).toEqual(['Ridge A-100H', 'Ridge C-102H']);
    expect(found('102h  RIDGE')).toEqual(['Ridge C-102H']);
    expect(found('42-123-45678')).toEqual(['Ridge A-100H']);
    expect(found('4212345678')).toEqual(['Ridge A-100H']);
    expect(found('42-123-45679')).toEqual(['State 16-36']);
    expect(found('1001')).toEqual(['Ridge A-100H']);
    expect(found('state 16-36')).toEqual(['State 16-36']);
    expect(found('7002')).toEqual([]);
    expect(index.search('', 2)).toHaveLength(2);
  });

  it('are offered in a text: all of a short list, the matching ones of a long list', () => {
    const few = [wellOf(1, 'A', 11), wellOf(2, 'B', 12)];
    const short = new WellIndex(few);
    const long = new WellIndex([...few, ...many(500)]);
    const none = { ids: [], names: [], typed: null };
    expect(namesOf(mentionedWells(short, { ids: [11, 2], names: ['a'], incomplete: null }))).toBe('AB');
    expect(namesOf(mentionedWells(short, { ...none, incomplete: 'zzz' }))).toBe('AB');
    expect(mentionedWells(long, { ...none, incomplete: 'w 499' })).toHaveLength(1);
    expect(mentionedWells(long, { ...none, incomplete: '' })).toHaveLength(200);
  });
});

describe('a part of the list', () => {
  it.each(['{}', '[1]', '[{"name":"A"}]', '[[1, 2]]', 'hello'])('is not accepted as wells: %s', (text) => {
    expect(() => parseWells(text)).toThrow(SyntaxError);
  });
  it('returns the same wells, with every field of them', () => {
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
    expect(parseWells(JSON.stringify([full].map(packWell)))).toEqual([full]);
    expect(packedWell.parse(packWell(full))).toEqual(packWell(full));
  });
  it('may be empty', () => {
    expect(parseWells('[]')).toEqual([]);
  });
});
