import { expect, it } from 'vitest';
import { words } from '../../../../../src/renderer/words/words.ts';
import {
  startingSummary,
  usualGroups,
} from '../../../../../src/renderer/features/query/summary/summary-choices.ts';

const w = words.summary;
const wellPath = 'asset_id';
const pathsOf = (groups: readonly { readonly path: string }[]) => groups.map(({ path }) => path);

it('a summary of depths keeps the logs of a well apart', () => {
  const depths = { type: 'depth', wellPath } as const;
  const log = [wellPath, 'log_identifier'];
  expect(usualGroups(depths).map(({ groups }) => pathsOf(groups))).toEqual([log, [...log, 'measured_depth']]);
  const textsOf = (type: 'time' | 'depth') => usualGroups({ type, wellPath }).map(({ text }) => text);
  expect(textsOf('depth')).toEqual([w.meanByWellAndLog, w.meanByWellAndStep(10, true)]);
  expect(textsOf('time')).toEqual([w.meanByWell, w.meanByWellAndStep(3_600_000, false)]);
  expect(pathsOf(startingSummary({ ...depths, fields: [] }, '{}', null).groups)).toEqual(log);
  expect(pathsOf(startingSummary({ type: 'time', wellPath, fields: [] }, '{}', null).groups)).toEqual([
    wellPath,
  ]);
});

it('the first and the last value are those by time, also where times are texts', () => {
  const parts = { measures: [{ kind: 'last', path: 'data.rop' }], groups: [] } as const;
  const orderOf = (type: 'time' | 'timeseries') =>
    startingSummary({ type, wellPath, fields: [] }, '{}', parts).order;
  expect([orderOf('time'), orderOf('timeseries')]).toEqual(['timestamp', 'datetime']);
});
