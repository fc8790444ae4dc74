/**
 * The cases of a test that `npm test` runs: the first, the last, and others at even distances. `npm run soak -- cases` runs
 * all of them. For cases that take seconds each and differ in one value.
 */
export function sampleOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (process.env['WELLBENCH_ALL_CASES'] !== undefined || count >= cases.length) return cases;
  const last = cases.length - 1;
  const places = Array.from({ length: count }, (_, nth) => Math.round((nth * last) / Math.max(1, count - 1)));
  return cases.filter((_, at) => places.includes(at));
}
