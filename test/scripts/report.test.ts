import { expect, it } from 'vitest';
import { passedAtSecondTry, reasonsForSkipping } from '../../scripts/lib/report.mjs';

it('tests that were skipped are told with their reasons, each reason once', () => {
  const skipped = (description?: string) => ({
    status: 'skipped',
    annotations: [{ type: 'slow' }, ...(description === undefined ? [] : [{ type: 'skip', description }])],
  });
  const passed = { status: 'expected', annotations: [] };
  const report = {
    suites: [
      { specs: [{ tests: [passed, skipped('No runtime.')] }] },
      { suites: [{ specs: [{ tests: [skipped('No runtime.')] }, { tests: [skipped()] }] }] },
    ],
  };
  expect(reasonsForSkipping(report)).toEqual([
    { reason: 'No runtime.', count: 2 },
    { reason: 'Not run, and no reason was given.', count: 1 },
  ]);
  expect(reasonsForSkipping({ suites: [] })).toEqual([]);
});

it('tests that passed at their second try are named', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status, annotations: [] }],
  });
  const report = {
    suites: [{ specs: [spec('at once', 'expected')], suites: [{ specs: [spec('later', 'flaky')] }] }],
  };
  expect(passedAtSecondTry(report)).toEqual(['a.spec.ts: later']);
});
