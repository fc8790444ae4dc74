interface Suite {
  suites?: Suite[];
  specs?: {
    title?: string;
    file?: string;
    tests: { status: string; annotations: { type: string; description?: string }[] }[];
  }[];
}
export function reasonsForSkipping(report: { suites: Suite[] }): { reason: string; count: number }[];
export function passedAtSecondTry(report: { suites: Suite[] }): string[];
