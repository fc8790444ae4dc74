/** The tests of a Playwright report, each with its title. */
const testsOf = (suite) => [
  ...(suite.specs ?? []).flatMap(({ title, file, tests }) => tests.map((test) => ({ ...test, title, file }))),
  ...(suite.suites ?? []).flatMap(testsOf),
];

/** The reasons for skipped tests of a Playwright report, each with the number of tests. */
export function reasonsForSkipping(report) {
  const reasons = new Map();
  for (const test of report.suites.flatMap(testsOf).filter(({ status }) => status === 'skipped')) {
    const reason =
      test.annotations.find(({ type }) => type === 'skip')?.description ?? 'Skipped without a reason.';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => ({ reason, count }));
}

/** Tests of a Playwright report that passed only on retry: each needs a fix. */
export function retriedBrowserTests(report) {
  return report.suites
    .flatMap(testsOf)
    .filter(({ status }) => status === 'flaky')
    .map(({ file, title }) => `${file}: ${title}`);
}

/**
 * The failed tests of a Playwright report, each with the file to open: its trace, else its screenshot, else its source.
 * @param folder of the tests
 */
export function failedBrowserTests(report, folder) {
  return report.suites
    .flatMap(testsOf)
    .filter(({ status }) => status === 'unexpected')
    .map(({ file, title, results = [] }) => {
      const attachments = results.flatMap((result) => result.attachments ?? []);
      const kept = ['trace', 'screenshot'].map(
        (kind) => attachments.findLast(({ name }) => name === kind)?.path,
      );
      return { name: `${file}: ${title}`, open: kept.find(Boolean) ?? `${folder}/${file}` };
    });
}

/** Tests of a Vitest report that passed only on retry: each needs a fix. */
export const retriedUnitTests = (report) =>
  report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, meta }) => status === 'passed' && meta?.isRetried)
    .map(({ fullName }) => fullName);

/** The failed tests and files of a Vitest report, each with the file to open. */
export function failedUnitTests(report) {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: open, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0
        ? failed.map(({ fullName }) => ({ name: fullName, open }))
        : [{ name: 'The file couldn’t be loaded.', open }];
    });
}
