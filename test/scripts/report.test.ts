import { expect, it } from 'vitest';
import {
  failedBrowserTests,
  failedUnitTests,
  reasonsForSkipping,
  retriedBrowserTests,
  retriedUnitTests,
} from '../../scripts/lib/report.mjs';

it('skipped tests are reported with their reasons, each reason once', () => {
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
    { reason: 'Skipped without a reason.', count: 1 },
  ]);
  expect(reasonsForSkipping({ suites: [] })).toEqual([]);
});

it('tests that passed on their second try are named', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status, annotations: [] }],
  });
  const report = {
    suites: [{ specs: [spec('at once', 'expected')], suites: [{ specs: [spec('later', 'flaky')] }] }],
  };
  expect(retriedBrowserTests(report)).toEqual(['a.spec.ts: later']);
  const unit = (fullName: string, status: string, meta: object) => ({ fullName, status, meta });
  const assertionResults = [
    unit('at once', 'passed', {}),
    unit('later', 'passed', { isRetried: true }),
    unit('never', 'failed', { isRetried: true }),
  ];
  expect(retriedUnitTests({ testResults: [{ assertionResults }] })).toEqual(['later']);
});

it('a failed browser test is named with its newest trace, else its screenshot, else its source', () => {
  const spec = (title: string, ...attempts: { name: string; path?: string }[][]) => ({
    title,
    file: 'a.spec.ts',
    tests: [
      {
        status: 'unexpected',
        annotations: [],
        results: attempts.map((attachments) => ({ attachments })),
      },
    ],
  });
  const trace = (path: string) => ({ name: 'trace', path });
  const report = {
    suites: [
      {
        specs: [
          spec('traced', [trace('first.zip')], [{ name: 'screenshot', path: 'b.png' }, trace('second.zip')]),
          spec('pictured', [{ name: 'screenshot', path: 'c.png' }]),
          spec('neither'),
          { title: 'passed', file: 'a.spec.ts', tests: [{ status: 'expected', annotations: [] }] },
        ],
      },
    ],
  };
  expect(failedBrowserTests(report, 'test/e2e')).toEqual([
    { name: 'a.spec.ts: traced', open: 'second.zip' },
    { name: 'a.spec.ts: pictured', open: 'c.png' },
    { name: 'a.spec.ts: neither', open: 'test/e2e/a.spec.ts' },
  ]);
});

it('failed unit tests are named with their file, and so is a file that could not be loaded', () => {
  const report = {
    testResults: [
      {
        name: '/a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'adds', status: 'failed' },
          { fullName: 'subtracts', status: 'passed' },
        ],
      },
      { name: '/b.test.ts', status: 'failed', assertionResults: [] },
      { name: '/c.test.ts', status: 'passed', assertionResults: [] },
    ],
  };
  expect(failedUnitTests(report)).toEqual([
    { name: 'adds', open: '/a.test.ts' },
    { name: 'The file couldn’t be loaded.', open: '/b.test.ts' },
  ]);
});
