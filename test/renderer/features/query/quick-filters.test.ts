import { expect, it } from 'vitest';
import {
  quickFilters,
  statesOf,
  withAllStates,
} from '../../../../src/renderer/features/query/filters/filter-values.ts';
import { writeFilter } from '../../../../src/shared/language/text/filters.ts';
import type { DatasetField } from '../../../../src/shared/datasets/fields.ts';

const state = (...values: string[]): DatasetField => ({
  path: 'data.state',
  from: 'sample',
  types: ['string'],
  values,
});
const rpm: DatasetField = { path: 'data.rotary_rpm', from: 'sample', types: ['number'] };

it('offers the states in which a rig drills, rotates, or has the pipe in slips', () => {
  expect(quickFilters([state('Rotary Drilling', 'Slide Drilling', 'In Slips', 'Tripping'), rpm])).toEqual([
    {
      id: 'onBottom',
      filter: { path: 'data.state', operator: 'oneOf', values: ['Rotary Drilling', 'Slide Drilling'] },
    },
    { id: 'rotating', filter: { path: 'data.state', operator: 'is', values: ['Rotary Drilling'] } },
    { id: 'inSlips', filter: { path: 'data.state', operator: 'is', values: ['In Slips'] } },
  ]);
});

it('offers rotation by the rotary RPM where no state tells it', () => {
  const rotating = { path: 'data.rotary_rpm', operator: 'above', values: [10] };
  expect(quickFilters([rpm])).toEqual([{ id: 'rotating', filter: rotating }]);
  expect(quickFilters([state('Drilling', 'Tripping'), rpm]).map(({ id }) => id)).toEqual([
    'onBottom',
    'rotating',
  ]);
});

it('says what the rig did in all records that conditions match', () => {
  const fields = [state('Rotary Drilling', 'Slide Drilling', 'In Slips')];
  const shownFor = (conditions: string) => statesOf(conditions, fields);
  expect(shownFor('{ asset_id: 1, "data.state": "In Slips", "data.rop": { $gt: 0 } }')).toEqual(['inSlips']);
  expect(shownFor('{ "data.state": { $in: ["Rotary Drilling", "Slide Drilling"] } }')).toEqual(['onBottom']);
  for (const other of [
    '',
    '{}',
    '{ "data.state": "Tripping" }',
    '{ "data.state": ',
    '{ $or: [{ "data.state": "In Slips" }] }',
  ])
    expect(shownFor(other)).toEqual([]);
});

it('filters by all states of the service, also by those that sampled records lack', () => {
  const fields = [state('Rotary Drilling', 'Non-drilling', 'In Slips')];
  const [onBottom] = quickFilters(fields);
  const all = ['Slide Drilling', 'Tripping', 'Not drilling', 'Rotary Drilling'];
  const filter = onBottom && withAllStates(onBottom, all);
  expect(filter).toMatchObject({ operator: 'oneOf', values: ['Rotary Drilling', 'Slide Drilling'] });
  const conditions = filter && writeFilter('{}', filter);
  expect(statesOf(conditions ?? '', fields)).toEqual(['onBottom']);
});

it('offers nothing for a dataset without states, or whose records have one state only', () => {
  expect(quickFilters([])).toEqual([]);
  expect(quickFilters([state('Drilling')])).toEqual([]);
  expect(quickFilters([{ ...state('Drilling', 'Idle'), path: 'data.status_text' }])).toEqual([]);
});
