import { describe, expect, it } from 'vitest';
import {
  comparedQueries,
  inputsOf,
  sideNames,
} from '../../../../src/renderer/features/quality-tab/quality-tab-view.tsx';
import {
  noComparison,
  noInputs,
  type ComparisonForm,
  type SideInputs,
} from '../../../../src/renderer/features/quality-tab/quality-tab.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const w = words.quality.comparing;
const well = '{ asset_id: 5001 }';
const ranged = '{ asset_id: 5001, measured_depth: { $gte: 1000, $lt: 1500 } }';

/** The queries of a form over a dataset of depth, as opened on a query and then changed. */
function compared(
  query: string,
  against: Partial<SideInputs>,
  more: Partial<ComparisonForm> = {},
  source: Partial<SideInputs> = {},
) {
  return comparedQueries(query, 'depth', {
    ...noComparison,
    source: { ...inputsOf(query, 'depth'), ...source },
    against: { ...noInputs, ...against },
    ...more,
  });
}

describe('the queries of a comparison', () => {
  it('have another well, and everything else of the query', () => {
    expect(compared(ranged, { assetId: '5002' })).toEqual({
      query: ranged,
      againstQuery: '{ asset_id: 5002, measured_depth: { $gte: 1000, $lt: 1500 } }',
    });
  });

  it('have another range as long as the first, unless it has an end of its own', () => {
    const other = (from: string, to = '') => compared(ranged, { from, to });
    expect(other('3000')).toMatchObject({
      againstQuery: ranged.replace('1000', '3000').replace('1500', '3500'),
    });
    expect(other('3000', '3100')).toMatchObject({
      againstQuery: ranged.replace('1000', '3000').replace('1500', '3100'),
    });
  });

  it('write the range of the source into the query', () => {
    expect(compared(well, { from: '50' }, {}, { from: '10', to: '20' })).toEqual({
      query: '{ asset_id: 5001, measured_depth: { $gte: 10, $lt: 20 } }',
      againstQuery: '{ asset_id: 5001, measured_depth: { $gte: 50, $lt: 60 } }',
    });
  });

  it('include the end that the query includes', () => {
    const query = ranged.replace('$lt', '$lte');
    expect(compared(query, { from: '3000' }, {}, { from: '1100' })).toEqual({
      query: query.replace('1000', '1100'),
      againstQuery: query.replace('1000', '3000').replace('1500', '3400'),
    });
  });

  it('can be another query as text', () => {
    expect(compared(well, {}, { againstQuery: '{ depth_log: 2 }' })).toEqual({
      query: well,
      againstQuery: '{ depth_log: 2 }',
    });
  });

  it.each<[string, ReturnType<typeof compared>, object]>([
    ['the same records', compared(ranged, {}), { 'against.assetId': w.isSame }],
    ['a well without a number', compared(well, { assetId: 'Ridge' }), { 'against.assetId': w.badWell }],
    ['a range against a query without a start', compared(well, { from: '10' }), { 'source.from': w.noStart }],
    ['an end alone', compared(ranged, { to: '10' }), { 'against.from': w.noStart }],
    ['a text as depth', compared(ranged, { from: 'deep' }), { 'against.from': w.badDepth() }],
    [
      'an odd tolerance',
      compared(ranged, { assetId: '2' }, { tolerance: '?' }),
      { tolerance: w.badTolerance },
    ],
    ['an empty other query', compared(well, {}, { againstQuery: ' ' }), { againstQuery: w.noQuery }],
    [
      'a condition that a form can’t change',
      compared('{ measured_depth: { $mod: [2, 0] } }', { from: '10' }, {}, { from: '5' }),
      { 'source.from': w.cannotWrite, 'against.from': w.cannotWrite },
    ],
  ])('are refused for %s', (_, found, problems) => {
    expect(found).toEqual({ problems });
  });
});

describe('the names of two sides', () => {
  const names = (source: string | null, against: string) =>
    sideNames({ source, against }, 'depth', (id) => (id === 5001 ? 'Ridge 1' : null));

  it('are their wells, else their ranges, else first and second', () => {
    expect(names(ranged, ranged.replace('5001', '5002'))).toEqual({ source: 'Ridge 1', against: '5002' });
    expect(names(ranged, ranged.replace('1000', '1200'))).toEqual({
      source: words.query.range.between('1000', '1500'),
      against: words.query.range.between('1200', '1500'),
    });
    expect(names(well, '{}')).toEqual({ source: w.first, against: w.second });
    expect(names(null, '{}')).toEqual({ source: w.theFile, against: w.theDataset });
  });
});
