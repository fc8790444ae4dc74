import { useStore } from 'zustand';
import { datasetName, type DatasetType, scopeFieldOf } from '../../../shared/datasets/datasets.ts';
import {
  rangeFieldOf,
  readRange,
  writeRange,
  type Bound,
  type Range,
  readScope,
  writeScope,
} from '../../../shared/language/text/conditions.ts';
import { useSession, useSessionState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { ListField } from '../../ui/list-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Empty } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { listedWells } from '../wells/wells-state.ts';
import { ComparisonView } from '../quality/comparison-view.tsx';
import { useFieldNames } from '../datasets/use-field-names.ts';
import { QualityView } from '../quality/quality-view.tsx';
import type { JobReport } from '../quality/quality-run.ts';
import { type QualityTab, type SideInputs, noInputs, type ComparisonForm } from './quality-tab.ts';
import { queryOfRange, queryOfSeries } from '../quality/place-text.ts';
import { RunProgress } from '../quality/run-progress.tsx';
import '../quality/quality.css';
import { openQuery } from '../query/open-query.ts';
import { useState } from 'react';
import { type ComparedSide, type ComparisonReport, toleranceOf } from '../../../shared/quality/comparison.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { WellBox } from '../wells/filters.tsx';
import { boundOrder, formatBound, parseBound } from '../../format/range-inputs.ts';

const w = words.quality.comparing;

interface SideFieldsProps {
  readonly side: ComparedSide;
  readonly comparison: ComparisonForm;
  readonly problems: ComparisonProblems;
  readonly onChange: QualityTab['actions']['changeComparison'];
}

function SideFields({ side, comparison, problems, onChange }: SideFieldsProps) {
  const inputs = comparison[side];
  const isOther = side === 'against';
  const changeInputs = (next: Partial<SideInputs>): void => onChange({ [side]: { ...inputs, ...next } });
  const label = (input: string): string => w.input(w[side], input);
  const end = (name: 'from' | 'to', placeholder: string) => (
    <TextField
      name={`${side}-${name}`}
      label={label(w[name])}
      isLabelHidden
      mono
      value={inputs[name]}
      placeholder={placeholder}
      problem={problems[`${side}.${name}`]}
      onChange={(value) => changeInputs({ [name]: value })}
    />
  );
  return (
    <>
      <span className="quality-side row gap-0 small quiet">{w[side]}</span>
      <WellBox
        label={label(w.well)}
        assetId={inputs.assetId}
        placeholder={isOther ? w.same : w.asQuery}
        problem={problems[`${side}.assetId`]}
        onChoose={(assetId) => changeInputs({ assetId })}
      />
      {end('from', isOther ? w.same : w.noLimit)}
      {end('to', isOther ? (inputs.from.trim() === '' ? w.same : w.sameLength) : w.noLimit)}
    </>
  );
}

function ComparisonForm({ tab, type }: { tab: QualityTab; type: DatasetType }) {
  const { actions, store } = tab;
  const { query, comparison } = useStore(store, (state) => state.form);
  const isStarting = useStore(tab.run.store, (state) => state.isStarting);
  const [problems, setProblems] = useState<ComparisonProblems>({});
  const change = (next: Parameters<typeof actions.changeComparison>[0]): void => {
    setProblems({});
    actions.changeComparison(next);
  };
  const sides = { comparison, problems, onChange: change };

  return (
    <Form
      className="scroll-x pad-3 flex-none faint-below"
      aria-label={w.heading}
      onSubmit={() => {
        const queries = comparedQueries(query, type, comparison);
        setProblems('problems' in queries ? queries.problems : {});
        if ('query' in queries) void actions.compare(queries);
      }}
    >
      <div className="quality-sides items-start">
        <span />
        {[w.well, w.from, w.to].map((name) => (
          <span key={name} className="quality-side row gap-0 small quiet" aria-hidden>
            {name}
          </span>
        ))}
        <SideFields side="source" {...sides} />
        {comparison.againstQuery !== null ? (
          <>
            <span className="quality-side row gap-0 small quiet">{w.against}</span>
            <TextField
              className="quality-other-query"
              name="against-query"
              label={w.otherQuery}
              isLabelHidden
              mono
              value={comparison.againstQuery}
              problem={problems.againstQuery}
              onChange={(againstQuery) => change({ againstQuery })}
            />
          </>
        ) : (
          <SideFields side="against" {...sides} />
        )}
      </div>
      <div className="row above-3 wrap gap-3 items-end">
        <TextField
          className="quality-tolerance"
          name="tolerance"
          label={w.tolerance}
          value={comparison.tolerance}
          placeholder={w.toleranceHint}
          problem={problems.tolerance}
          onChange={(tolerance) => change({ tolerance })}
        />
        <Button type="submit" variant="primary" isPending={isStarting}>
          {w.start}
        </Button>
        <CheckBox
          label={w.advanced}
          checked={comparison.againstQuery !== null}
          onChange={(isOn) => change({ againstQuery: isOn ? otherQueryOf(query, type, comparison) : null })}
        />
      </div>
      <p className="above-3 small quiet">{w.note}</p>
    </Form>
  );
}

/** The other query that the inputs mean, to edit. */
function otherQueryOf(query: string, type: DatasetType, comparison: ComparisonForm): string {
  const queries = comparedQueries(query, type, comparison);
  return 'query' in queries ? queries.againstQuery : query;
}

export default function QualityTabView({ tab }: { tab: QualityTab }) {
  const { dataset, run } = tab;
  const isComparing = useStore(tab.store, (state) => state.form.comparison.isOpen);
  const { tab: w, loading, comparing } = words.quality;
  return (
    <section
      className="quality-tab stack gap-0 full"
      aria-label={w.region(`${dataset.provider}/${dataset.dataset}`)}
    >
      <RequestForm tab={tab} />
      <RunProgress run={run} what={isComparing ? comparing.loading : loading} idle={<Empty>{w.idle}</Empty>}>
        {(report) => <Report tab={tab} report={report} />}
      </RunProgress>
    </section>
  );
}

function RequestForm({ tab }: { tab: QualityTab }) {
  const { actions, store, dataset } = tab;
  const form = useStore(store, (state) => state.form);
  const isStarting = useStore(tab.run.store, (state) => state.isStarting);
  const { tab: w, comparing } = words.quality;
  const { type } = dataset;
  const { isOpen } = form.comparison;
  const sourceOf = (query: string) => ({ source: inputsOf(query, type) });
  return (
    <>
      <Form
        className="quality-form pad-3 flex-none gap-3 items-start faint-below"
        onSubmit={() => void actions.check()}
      >
        <TextField
          name="query"
          mono
          label={w.query}
          value={form.query}
          onChange={(query) =>
            actions.change({ query, comparison: { ...form.comparison, ...sourceOf(query) } })
          }
        />
        <ListField
          name="fields"
          label={w.fields}
          value={form.fields}
          placeholder={w.allFields}
          onChange={(fields) => actions.change({ fields })}
        />
        <TextField
          name="step"
          label={w.step}
          value={form.step}
          placeholder={w.anyStep}
          onChange={(step) => actions.change({ step })}
        />
        <Button
          type="submit"
          variant={isOpen ? 'plain' : 'primary'}
          className="quality-start"
          isPending={isStarting && !isOpen}
        >
          {w.start}
        </Button>
        {rangeFieldOf(type) && (
          <Button
            className="quality-start"
            aria-expanded={isOpen}
            onPress={() => actions.changeComparison({ isOpen: !isOpen, ...sourceOf(form.query) })}
          >
            {comparing.open}
          </Button>
        )}
      </Form>
      {isOpen && type !== null && <ComparisonForm tab={tab} type={type} />}
    </>
  );
}

function Report({ tab: { dataset }, report: jobReport }: { tab: QualityTab; report: JobReport }) {
  const session = useSession();
  const listed = useSessionState('wells', listedWells);
  const names = useFieldNames(dataset);
  const title = datasetName(dataset);
  const field = rangeFieldOf(dataset.type);
  const show = (query: string, from: number, to: number): void =>
    void (field !== null && openQuery(session, dataset, queryOfRange(query, field, from, to)));
  if (jobReport.kind === 'comparison') {
    const { queries } = jobReport.report;
    return (
      <ComparisonView
        report={jobReport.report}
        title={title}
        fields={names}
        names={sideNames(queries, dataset.type, (id) => listed.well('assetId', id)?.name ?? null)}
        onShow={(side, from, to) => show(queries[side] ?? '{}', from, to)}
      />
    );
  }
  return (
    <QualityView
      report={jobReport.report}
      title={title}
      zone={null}
      names={names}
      onShow={
        field === null
          ? undefined
          : (from, to, well) =>
              show(queryOfSeries(jobReport.query, scopeFieldOf(dataset.type), well), from, to)
      }
    />
  );
}

type ComparisonInput = `${ComparedSide}.${keyof SideInputs}` | 'againstQuery' | 'tolerance';
export type ComparisonProblems = Partial<Record<ComparisonInput, string>>;

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

export function comparedQueries(
  query: string,
  type: DatasetType,
  form: ComparisonForm,
): { readonly query: string; readonly againstQuery: string } | { readonly problems: ComparisonProblems } {
  const field = rangeFieldOf(type);
  if (field === null) return { query, againstQuery: form.againstQuery ?? query };
  const problems: Partial<Record<ComparisonInput, string>> = {};

  function boundOf(side: ComparedSide, end: 'from' | 'to'): Bound | null {
    const bound = field && parseBound(form[side][end], field.of, zone, end);
    if (bound !== undefined && bound?.kind !== 'moment') return bound;
    problems[`${side}.${end}`] = field?.of === 'time' ? w.badTime : w.badDepth();
    return null;
  }
  const rangeOf = (side: ComparedSide): Range => ({ from: boundOf(side, 'from'), to: boundOf(side, 'to') });

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
