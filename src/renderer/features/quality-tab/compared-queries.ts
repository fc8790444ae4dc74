import { type DatasetType, scopeFieldOf } from '../../../shared/datasets/datasets.ts';
import {
  rangeFieldOf,
  readRange,
  writeRange,
  type Bound,
  type Range,
  readScope,
  writeScope,
} from '../../../shared/language/text/conditions.ts';
import { type ComparedSide, type ComparisonReport, toleranceOf } from '../../../shared/quality/comparison.ts';
import { boundOrder, formatBound, parseBound } from '../../format/range-inputs.ts';
import { words } from '../../words/words.ts';
import { noInputs, type ComparisonForm, type SideInputs } from './quality-tab.ts';

type ComparisonInput = `${ComparedSide}.${keyof SideInputs}` | 'againstQuery' | 'tolerance';
export type ComparisonProblems = Partial<Record<ComparisonInput, string>>;

const w = words.quality.comparing;
const zone = 'UTC';

/** The well and the range of a query, as far as a form can show them. */
export function inputsOf(query: string, type: DatasetType | null): SideInputs {
  const field = rangeFieldOf(type);
  if (type === null || field === null) return noInputs;
  const scope = readScope(query, scopeFieldOf(type));
  const range = readRange(query, field);
  const [only, ...otherIds] = scope.kind === 'ids' ? scope.ids : [];
  return {
    assetId: only !== undefined && otherIds.length === 0 ? String(only) : '',
    from: range.kind === 'range' ? formatBound(range.from, zone) : '',
    to: range.kind === 'range' ? formatBound(range.to, zone) : '',
  };
}

/** The other range: as long as the source's, if it has no end of its own. */
function otherRange(sourceRange: Range, { from, to }: Range): Range {
  const [start, end, otherStart] = [sourceRange.from, sourceRange.to, from].map(boundOrder);
  if (to !== null || from === null || start == null || end == null || otherStart == null) return { from, to };
  const place = otherStart + end - start;
  return { from, to: from.kind === 'time' ? { kind: 'time', ms: place } : { kind: 'depth', depth: place } };
}

/**
 * The queries that a form means, or what is wrong with its inputs.
 * @param query the query of the tab
 */
export function comparedQueries(
  query: string,
  type: DatasetType,
  form: ComparisonForm,
): { readonly query: string; readonly againstQuery: string } | { readonly problems: ComparisonProblems } {
  const field = rangeFieldOf(type);
  if (field === null) return { query, againstQuery: form.againstQuery ?? query };
  const problems: Partial<Record<ComparisonInput, string>> = {};

  function boundOf(side: ComparedSide, end: 'from' | 'to'): Bound | null {
    const bound = field && parseBound(form[side][end], field.of, zone);
    if (bound !== undefined && bound?.kind !== 'moment') return bound;
    problems[`${side}.${end}`] = field?.of === 'time' ? w.badTime : w.badDepth;
    return null;
  }
  const rangeOf = (side: ComparedSide): Range => ({
    from: boundOf(side, 'from'),
    to: boundOf(side, 'to'),
  });

  /** A query with another well and another range; what is empty stays. */
  function withSide(base: string, side: ComparedSide, range: Range, isRangeGiven: boolean): string {
    const assetId = form[side].assetId.trim();
    let next: string | null = base;
    if (assetId !== '' && !/^\d{1,15}$/.test(assetId)) problems[`${side}.assetId`] = w.badWell;
    else if (assetId !== '' && assetId !== inputsOf(base, type).assetId)
      next = writeScope(base, scopeFieldOf(type), { kind: 'ids', ids: [Number(assetId)] });
    if (next === null) problems[`${side}.assetId`] = w.cannotWrite;
    const withWell = next ?? base;
    if (!isRangeGiven || field === null) return withWell;
    // An end that is in the query stays included or excluded.
    const before = readRange(withWell, field);
    next = writeRange(withWell, field, before.kind === 'range' ? { ...before, ...range } : range);
    if (next === null) problems[`${side}.from`] = w.cannotWrite;
    return next ?? withWell;
  }

  if (toleranceOf(form.tolerance) === null) problems.tolerance = w.badTolerance;
  const sourceRange = rangeOf('source');
  const before = inputsOf(query, type);
  const source = withSide(
    query,
    'source',
    sourceRange,
    form.source.from !== before.from || form.source.to !== before.to,
  );
  if (form.againstQuery !== null) {
    if (form.againstQuery.trim() === '') problems.againstQuery = w.noQuery;
    return Object.keys(problems).length > 0
      ? { problems }
      : { query: source, againstQuery: form.againstQuery };
  }
  const { from, to } = form.against;
  const isRangeGiven = from.trim() !== '' || to.trim() !== '';
  const other = otherRange(sourceRange, rangeOf('against'));
  const against = withSide(source, 'against', other, isRangeGiven);
  // Ranges are paired by the distance from their starts.
  if (isRangeGiven && sourceRange.from === null && !('source.from' in problems))
    problems['source.from'] = w.noStart;
  if (isRangeGiven && other.from === null && !('against.from' in problems))
    problems['against.from'] = w.noStart;
  if (Object.keys(problems).length === 0 && against === source) problems['against.assetId'] = w.isSame;
  return Object.keys(problems).length > 0 ? { problems } : { query: source, againstQuery: against };
}

/** How the two sides of a comparison are called: by their wells, or by their ranges if those differ. */
export function sideNames(
  { source, against }: ComparisonReport['queries'],
  type: DatasetType | null,
  nameOfWell: (assetId: number) => string | null,
): Readonly<Record<ComparedSide, string>> {
  if (source === null) return { source: w.theFile, against: w.theDataset };
  const [first, second] = [inputsOf(source, type), inputsOf(against, type)];
  const wellOf = ({ assetId }: SideInputs): string => nameOfWell(Number(assetId)) ?? assetId;
  if (first.assetId !== second.assetId && first.assetId !== '' && second.assetId !== '')
    return { source: wellOf(first), against: wellOf(second) };
  const { between, since } = words.query.range;
  const rangeOf = ({ from, to }: SideInputs): string => (to === '' ? since(from) : between(from, to));
  if (first.from !== '' && second.from !== '' && rangeOf(first) !== rangeOf(second))
    return { source: rangeOf(first), against: rangeOf(second) };
  return { source: w.first, against: w.second };
}
