/** The tests of a Playwright report, each with the title of what it shows. */
const testsOf = (suite) => [
  ...(suite.specs ?? []).flatMap(({ title, file, tests }) => tests.map((test) => ({ ...test, title, file }))),
  ...(suite.suites ?? []).flatMap(testsOf),
];

/** Why tests of a Playwright report were skipped, each reason once, with how many it kept from running. */
export function reasonsForSkipping(report) {
  const reasons = new Map();
  for (const test of report.suites.flatMap(testsOf).filter(({ status }) => status === 'skipped')) {
    const reason =
      test.annotations.find(({ type }) => type === 'skip')?.description ??
      'Not run, and no reason was given.';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => ({ reason, count }));
}

/** Which tests of a Playwright report failed first and passed at the second try: each a thing to mend. */
export function passedAtSecondTry(report) {
  return report.suites
    .flatMap(testsOf)
    .filter(({ status }) => status === 'flaky')
    .map(({ file, title }) => `${file}: ${title}`);
}

/**
 * The failed tests of a Playwright report, each with the file to open: its trace, else its screenshot, else its source.
 * @param folder in which the tests lie
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

/** The failed tests and files of a Vitest report, each with the file to open. */
export function failedUnitTests(report) {
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name: open, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0
        ? failed.map(({ fullName }) => ({ name: fullName, open }))
        : [{ name: 'The file could not be loaded.', open }];
    });
}
