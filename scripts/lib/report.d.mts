interface Suite {
  suites?: Suite[];
  specs?: {
    title?: string;
    file?: string;
    tests: {
      status: string;
      annotations: { type: string; description?: string }[];
      results?: { attachments?: { name: string; path?: string }[] }[];
    }[];
  }[];
}
export function reasonsForSkipping(report: { suites: Suite[] }): { reason: string; count: number }[];
export function retriedBrowserTests(report: { suites: Suite[] }): string[];
export function retriedUnitTests(report: {
  testResults: { assertionResults: { fullName: string; status: string; meta?: { isRetried?: boolean } }[] }[];
}): string[];

/** A failed test, and the file that shows best why. */
interface FailedTest {
  name: string;
  open: string;
}
export function failedBrowserTests(report: { suites: Suite[] }, folder: string): FailedTest[];
export function failedUnitTests(report: {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}): FailedTest[];
