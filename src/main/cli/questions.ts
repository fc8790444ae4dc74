/** The commands that ask a service once, write the answer, and end. */
export const questions: ReadonlySet<string> = new Set([
  'wells',
  'assets',
  'programs',
  'pads',
  'rigs',
  'drillout-units',
  'frac-fleets',
  'datasets',
  'dataset',
  'find',
  'count',
  'aggregate',
  'pipeline',
]);
