// `npm run soak -- cases` runs all cases, browser tests tagged `@long`, and each law more often, by this factor.
const factor = Number(process.env['WELLBENCH_LONG'] ?? 0);

/**
 * The cases of a test that `npm test` runs: the first, the last, and others at even distances; all of them in a long run. For
 * cases that take seconds each and differ in one value.
 */
export function sampleOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (factor > 0 || count >= cases.length) return cases;
  const last = cases.length - 1;
  const places = Array.from({ length: count }, (_, nth) => Math.round((nth * last) / Math.max(1, count - 1)));
  return cases.filter((_, at) => places.includes(at));
}

/** The runs of a law whose runs take long: `usual` in `npm test`, many more in a long run. */
export const lawRuns = (usual: number): number => (factor > 0 ? usual * factor : usual);

/** Parameters of such a law: the inputs are the same in every run of `npm test`, and others in each long run. */
export const lawParameters = (usual: number): { numRuns: number; seed: number } => ({
  numRuns: lawRuns(usual),
  seed: factor > 0 ? Date.now() % 2 ** 31 : 20261121,
});
