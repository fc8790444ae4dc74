import { Sigma, X } from 'lucide-react';
import { useCallback } from 'react';
import { useStore } from 'zustand';
import { formatCount } from '../../format/numbers.ts';
import { useTask } from '../../state/latest-task.ts';
import { Button } from '../../ui/button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { changedUnit } from '../records/shown-cells.ts';
import { valueFormat } from './distributions.ts';
import type { Summary } from '../records/figures.ts';
import type { Result } from './results.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { useTab, useTabState } from '../../contexts.ts';
import type { FullSummary } from './summary-pipeline.ts';
import { useShape, useOfLoadedRows } from './use-records.ts';
import { maxOf } from '../../../shared/lists.ts';

interface SummaryPanelProps {
  readonly result: Result;
  readonly path: readonly string[];
}

const w = words.results.summary;

export default function SummaryPanel({ result, path }: SummaryPanelProps) {
  const { actions, calculated } = useTab('results');
  const stored = useTabState('results', (state) => state.units.get(pathId(path)));
  const { names, changes } = useTab('shown');
  const unit = changedUnit(changes, pathId(path)) ?? stored;
  // The service has no such field.
  const isCalculated = useStore(calculated.store, ({ columns }) =>
    columns.some(({ name }) => pathId([name]) === pathId(path)),
  );
  return (
    <section className="stack gap-0 full" aria-label={w.region}>
      <header className="record-head row between faint-below">
        <h3 className="ellipsis">
          {names(pathId(path)).line}
          {unit !== undefined && ` (${unit})`}
        </h3>
        <Button variant="quiet" icon={X} aria-label={w.close} onPress={() => actions.showSummary(null)} />
      </header>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <div className="summary-body stack gap-3 fill scroll pad-3" tabIndex={0}>
        <LoadedSummary result={result} path={path} />
        {result.request.kind === 'find' && !isCalculated && <FullSummaryView result={result} path={path} />}
      </div>
    </section>
  );
}

function useFormat({ held }: Result, path: readonly string[]): (value: number) => string {
  const { zone, changes } = useTab('shown');
  const kind =
    useShape(held).columns.find((column) => pathId(column.path) === pathId(path))?.kind ?? 'number';
  return valueFormat({ path, kind }, zone, changes);
}

function LoadedSummary({ result, path }: SummaryPanelProps) {
  const { held } = result;
  const summary = useOfLoadedRows(
    held,
    useCallback(() => held.summary(path), [held, path]),
  );
  const text = useFormat(result, path);
  if (summary.status === 'failed') return <Failed error={summary.error} isInForm />;
  if (summary.status !== 'loaded') return <Loading what={w.loading} />;
  const { records, nulls, absent, sentinels, numbers, distinct, frequent } = summary.value;
  return (
    <>
      <h4>{w.loaded(records)}</h4>
      <dl className="facts numbers">
        <Fact name={w.values}>{formatCount(records - nulls - absent - sentinels)}</Fact>
        <Fact name={w.nulls}>{formatCount(nulls)}</Fact>
        <Fact name={w.absent}>{formatCount(absent)}</Fact>
        <Fact name={w.sentinels}>{formatCount(sentinels)}</Fact>
        <Fact name={w.distinct}>{distinct === null ? w.many : formatCount(distinct)}</Fact>
        {numbers && <Fact name={w.numbers}>{formatCount(numbers.count)}</Fact>}
        {numbers && <NumberRange min={numbers.min} max={numbers.max} mean={numbers.mean} text={text} />}
      </dl>
      {numbers && numbers.max > numbers.min && <Histogram numbers={numbers} text={text} />}
      {!numbers && frequent.length > 0 && <FrequentValues frequent={frequent} of={records} />}
    </>
  );
}

function NumberRange(props: { min: number; max: number; mean: number; text: (value: number) => string }) {
  const { min, max, mean, text } = props;
  return (
    <>
      <Fact name={w.min}>{text(min)}</Fact>
      <Fact name={w.mean}>{text(mean)}</Fact>
      <Fact name={w.max}>{text(max)}</Fact>
    </>
  );
}

function FrequentValues({ frequent, of }: { frequent: Summary['frequent']; of: number }) {
  return (
    <ul aria-label={w.frequent}>
      {frequent.map(({ text, count }) => (
        <li key={text} className="frequent-item row relative between">
          <span className="frequent-share" style={{ width: `${(100 * count) / of}%` }} />
          <span className="frequent-text ellipsis">{text}</span>
          <span className="frequent-text ellipsis numbers quiet">{formatCount(count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Runs only on request: the service may have to read everything. */
function FullSummaryView({ result, path }: SummaryPanelProps) {
  const { actions } = useTab('results');
  const text = useFormat(result, path);
  const asking = useTask((_: void, signal): Promise<FullSummary> => actions.summarizeAll(path, signal));
  const whole = asking.value;
  return (
    <>
      <h4>{w.whole}</h4>
      {asking.error && <Failed error={asking.error} isInForm />}
      {whole ? (
        <dl className="facts numbers">
          <Fact name={w.records}>{formatCount(whole.records)}</Fact>
          <Fact name={w.numbers}>{formatCount(whole.numbers)}</Fact>
          <Fact name={w.nulls}>{formatCount(whole.nulls)}</Fact>
          <Fact name={w.absent}>{formatCount(whole.absent)}</Fact>
          <Fact name={w.sentinels}>{formatCount(whole.sentinels)}</Fact>
          {whole.min !== null && whole.max !== null && whole.mean !== null && (
            <NumberRange min={whole.min} max={whole.max} mean={whole.mean} text={text} />
          )}
        </dl>
      ) : (
        <Button
          className="self-start"
          icon={Sigma}
          isPending={asking.isRunning}
          onPress={() => void asking.start()}
        >
          {w.askWhole}
        </Button>
      )}
    </>
  );
}

interface HistogramProps {
  readonly numbers: NonNullable<Summary['numbers']>;
  readonly text: (value: number) => string;
}

const height = 56;

export function Histogram({ numbers: { min, max, histogram }, text }: HistogramProps) {
  const most = Math.max(maxOf(histogram), 1);
  const step = (max - min) / histogram.length;
  return (
    <figure className="results-histogram">
      <svg
        className="wide line-below"
        viewBox={`0 0 ${histogram.length} ${height}`}
        preserveAspectRatio="none"
        // oxlint-disable-next-line prefer-tag-over-role -- a drawing that is part of the page is no file
        role="img"
        aria-label={w.histogram(text(min), text(max))}
      >
        {histogram.map((count, at) => {
          // Small counts stay visible beside large ones.
          const tall = count === 0 ? 0 : Math.max((height * count) / most, 1);
          return (
            // oxlint-disable-next-line no-array-index-key -- a bar is its place
            <rect key={at} x={at + 0.05} y={height - tall} width={0.9} height={tall}>
              <title>{`${text(min + at * step)} – ${text(min + (at + 1) * step)}: ${formatCount(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="row gap-0 between small numbers quiet">
        <span>{text(min)}</span>
        <span>{text(max)}</span>
      </figcaption>
    </figure>
  );
}
