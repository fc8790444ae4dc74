import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindTexts } from '../../../../src/shared/language/parameters.ts';
import { parseRelaxedObject } from '../../../../src/shared/language/relaxed.ts';
import { assetId } from '../../../../src/shared/wells/wells.ts';
import { scan } from '../../../../src/shared/language/scan.ts';
import {
  boundsOf,
  rangeFieldOf,
  readRange,
  writeRange,
  type Bound,
  type Range,
  readScope,
  writeScope,
} from '../../../../src/shared/language/text/conditions.ts';

const present = {
  now: 1_700_000_000_000,
  zone: 'UTC',
  wells: [assetId.parse(1)],
  company: null,
  answers: new Map(),
};
const read = (text: string) => parseRelaxedObject(bindTexts({ query: text }, present).query, 'query');
const commentsIn = (text: string) =>
  [...scan(text)].filter(({ kind }) => kind === 'comment').map(({ start, end }) => text.slice(start, end));

// Conditions on other paths in typical notation, with comments to preserve in every position.
const other = fc.constantFrom(
  "'data.state': 'Rotary Drilling'",
  'stage_number: { $in: [1, 2,], },',
  '$or: [{ a: 1 }, { b: { $gt: 2 } }]',
  '"data.rop": { $gte: 10 } /* fast */',
  'note: "asset_id: 5, timestamp: { }"',
);
const between = fc.constantFrom(', ', ',\n  ', ', // more\n  ', ' ,');
const own = (path: string) =>
  fc.option(
    fc.constantFrom(
      ...(path === 'asset_id'
        ? ['asset_id: 5', '"asset_id": { $in: [1, 2] }', 'asset_id: {{wells}}', 'asset_id: { $eq: 7 }']
        : [
            `${path}: { $gte: {{now-24h}} }`,
            `'${path}': { $gt: 5, $lte: 9 }`,
            `${path}: {\n    $lt: 1700000000000, // until\n  }`,
          ]),
    ),
    { nil: null },
  );
const query = (path: string) =>
  fc
    .tuple(fc.array(other, { maxLength: 3 }), own(path), fc.nat(3), between, fc.constantFrom(' ', '\n  ', ''))
    .map(([others, mine, at, comma, space]) => {
      const entries = others.map((text) => text.replace(/,$/, ''));
      const all = mine === null ? entries : entries.toSpliced(at, 0, mine);
      return `{${space}${all.join(comma)}${space}}`;
    });
const without = (value: object, path: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== path));
/** Some texts have $or twice: such a text can't be read at all. */
const readable = (text: string) => {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
};

describe('the scope of a query', () => {
  const scope = fc.oneof(
    fc.constant({ kind: 'none' as const }),
    fc.constant({ kind: 'chosen' as const }),
    fc
      .uniqueArray(fc.nat(99_999), { minLength: 1, maxLength: 25 })
      .map((ids) => ({ kind: 'ids' as const, ids })),
  );

  it('is read as it was written, and nothing else has changed', () => {
    fc.assert(
      fc.property(query('asset_id'), scope, (text, wanted) => {
        fc.pre(readable(text));
        const after = writeScope(text, 'asset_id', wanted);
        expect(readScope(after!, 'asset_id')).toEqual(wanted);
        expect(without(read(after!), 'asset_id')).toEqual(without(read(text), 'asset_id'));
        expect(commentsIn(after!)).toEqual(commentsIn(text));
        // Writing the same again changes nothing.
        expect(writeScope(after!, 'asset_id', wanted)).toBe(after);
      }),
    );
  });

  it('changes only these characters', () => {
    const text = '{ // mine\n  asset_id: 5001, \'data.state\': "x",\n}';
    expect(writeScope(text, 'asset_id', { kind: 'ids', ids: [1, 2] })).toBe(
      '{ // mine\n  asset_id: { $in: [1, 2] }, \'data.state\': "x",\n}',
    );
    expect(writeScope(text, 'asset_id', { kind: 'none' })).toBe('{ // mine\n  \'data.state\': "x",\n}');
    expect(writeScope(' ', 'metadata.asset_id', { kind: 'chosen' })).toBe(
      '{ "metadata.asset_id": {{wells}} }',
    );
  });

  it.each([
    ['{ asset_id: { $gt: 5 } }', 'other'],
    ['{ asset_id: "5" }', 'other'],
    ['{ asset_id: { $in: [1, "a"] } }', 'other'],
    ['{ asset_id: 1, $or: [{ asset_id: 2 }] }', 'several'],
    ['{ $or: [{ asset_id: 1 }, { asset_id: 2 }] }', 'several'],
    ['{ asset_id: 1', 'unreadable'],
    ['[1]', 'unreadable'],
  ] as const)('is undefined for an unsupported condition: %s', (text, why) => {
    expect(readScope(text, 'asset_id')).toEqual({ kind: 'odd', why });
  });

  it('replaces an unsupported condition, but never one of several', () => {
    expect(writeScope('{ asset_id: { $gt: 5 } }', 'asset_id', { kind: 'ids', ids: [1] })).toBe(
      '{ asset_id: 1 }',
    );
    expect(writeScope('{ $or: [{ asset_id: 1 }] }', 'asset_id', { kind: 'chosen' })).toBeNull();
  });
});

describe('the range of a query', () => {
  const timeBound: fc.Arbitrary<Bound> = fc.oneof(
    fc
      .constantFrom('now-24h', 'now', 'today@America/Chicago')
      .map((written): Bound => ({ kind: 'moment', written })),
    fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms): Bound => ({ kind: 'time', ms })),
  );
  const depthBound = fc
    .double({ min: 0, max: 40_000, noNaN: true })
    .map((depth): Bound => ({ kind: 'depth', depth: Math.round(depth * 100) / 100 }));

  it.each([
    [{ path: 'timestamp', of: 'time' }, timeBound],
    [{ path: 'datetime', of: 'time' }, timeBound],
    [{ path: 'measured_depth', of: 'depth' }, depthBound],
  ] as const)('is read as it was written, and nothing else has changed: %j', (field, bound) => {
    const range = fc.record({ from: fc.option(bound), to: fc.option(bound) });
    fc.assert(
      fc.property(query(field.path), range, (text, wanted) => {
        fc.pre(readable(text));
        const after = writeRange(text, field, wanted);
        expect(readRange(after!, field)).toEqual({ kind: 'range', ...wanted });
        const before = readRange(text, field);
        if (before.kind === 'range') expect(writeRange(text, field, before)).toBe(text);
        expect(without(read(after!), field.path)).toEqual(without(read(text), field.path));
        expect(commentsIn(after!).length).toBeLessThanOrEqual(commentsIn(text).length);
        expect(writeRange(after!, field, wanted)).toBe(after);
      }),
    );
  });

  it('is of the index field of the dataset type', () => {
    expect(rangeFieldOf('depth')).toEqual({ path: 'measured_depth', of: 'depth' });
    expect(rangeFieldOf('timeseries')).toEqual({ path: 'datetime', of: 'time' });
    expect(rangeFieldOf('reference')).toBeNull();
  });

  const time = { path: 'timestamp', of: 'time' } as const;
  it('keeps which of its ends it includes while one of them changes, and equal bounds as written', () => {
    const text = '{ timestamp: { $gt: 1700000000000, $lte: {{now}} } }';
    const before = readRange(text, time);
    expect(before).toEqual({
      kind: 'range',
      from: { kind: 'time', ms: 1_700_000_000_000 },
      to: { kind: 'moment', written: 'now' },
      excludesFrom: true,
      includesTo: true,
    });
    const changed = (change: Partial<Range>) =>
      before.kind === 'range' && writeRange(text, time, { ...before, ...change });
    expect(changed({})).toBe(text);
    expect(changed({ from: { kind: 'moment', written: 'now-1h' } })).toBe(
      '{ timestamp: { $gt: {{now-1h}}, $lte: {{now}} } }',
    );
    expect(changed({ to: { kind: 'time', ms: 0 } })).toBe(
      '{ timestamp: { $gt: 1700000000000, $lte: ISODate("1970-01-01T00:00:00.000Z") } }',
    );
    expect(changed({ to: null })).toBe('{ timestamp: { $gt: 1700000000000 } }');
  });

  it('includes its start and excludes its end if it is another one, such as a preset', () => {
    const text = '{ timestamp: { $gt: 1700000000000, $lte: {{now}} } }';
    expect(
      writeRange(text, time, {
        from: { kind: 'moment', written: 'now-1h' },
        to: { kind: 'moment', written: 'now' },
      }),
    ).toBe('{ timestamp: { $gte: {{now-1h}}, $lt: {{now}} } }');
  });

  it('is sent in the format of its field', () => {
    const wanted = { from: { kind: 'time', ms: 0 }, to: null } as const;
    expect(read(writeRange('', time, wanted)!)).toEqual({ timestamp: { $gte: 0 } });
    expect(read(writeRange('', { path: 'datetime', of: 'time' }, wanted)!)).toEqual({
      datetime: { $gte: '1970-01-01T00:00:00.000Z' },
    });
  });

  it.each([
    '{ timestamp: 5 }',
    '{ timestamp: { $gte: 1, $ne: 3 } }',
    '{ timestamp: { $gte: 1, $gt: 3 } }',
    '{ timestamp: { $gte: {{ask:from:date}} } }',
    '{ timestamp: { $gte: true } }',
  ])('is undefined for another condition, which then stays: %s', (text) => {
    expect(readRange(text, time)).toEqual({ kind: 'odd', why: 'other' });
    if (!text.includes('ask') && !text.includes('true'))
      expect(writeRange(text, time, { from: { kind: 'time', ms: 1 }, to: null })).toBeNull();
  });
});

it('a range of an axis includes both ends', () => {
  expect(boundsOf({ path: 'timestamp', of: 'time' }, { from: 1000.4, to: 2000.6 })).toEqual({
    from: { kind: 'time', ms: 1000 },
    to: { kind: 'time', ms: 2001 },
  });
  // Texts of one time differ: 07:00:00Z, 07:00:00.000Z, and 07:00:00+00:00 have to be between the bounds of 07:00:00.
  const at = Date.parse('2026-01-31T07:00:00Z');
  expect(boundsOf({ path: 'datetime', of: 'time' }, { from: at, to: at + 1 })).toEqual({
    from: { kind: 'time', ms: at - 1 },
    to: { kind: 'time', ms: at + 1000 },
  });
  expect(boundsOf({ path: 'measured_depth', of: 'depth' }, { from: 100.12345, to: 200.5 })).toEqual({
    from: { kind: 'depth', depth: 100.123 },
    to: { kind: 'depth', depth: 200.501 },
  });
  expect(boundsOf({ path: 'measured_depth', of: 'depth' }, { from: 1, to: 1.001 }).to).toEqual({
    kind: 'depth',
    depth: 1.002,
  });
});
