interface Suite {
  suites?: Suite[];
  specs?: { tests: { status: string; annotations: { type: string; description?: string }[] }[] }[];
}
export function reasonsForSkipping(report: { suites: Suite[] }): { reason: string; count: number }[];
