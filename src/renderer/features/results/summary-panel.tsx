import { Sigma, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toAppError } from '../../../shared/errors/errors.ts';
import { formatCount } from '../../format/numbers.ts';
import { failed, loaded, type Loadable, loading } from '../../state/loadable.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { timeText } from '../records/cell-text.ts';
import { changedUnit, columnConverter } from '../records/unit-changes.ts';
import type { Summary } from '../records/summary.ts';
import type { Result } from './results.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { useTab, useTabState } from '../../contexts.ts';
import type { FullSummary } from './summary-pipeline.ts';
import { useShape } from './use-shape.ts';
import { watchGrowth } from './watch-growth.ts';
import { maxOf } from '../../../shared/lists.ts';

export interface SummaryPanelProps {
  readonly answered: Result;
  readonly path: readonly string[];
}

const say = words.results.summary;

/** A summary of a column: of loaded records, and on request of all matching ones. */
export function SummaryPanel({ answered, path }: SummaryPanelProps) {
  const { actions } = useTab('results');
  const stored = useTabState('results', (state) => state.units.get(pathId(path)));
  const unit = changedUnit(useTab('changes'), pathId(path)) ?? stored;
  return (
    <section className="results-record summary" aria-label={say.region}>
      <header className="record-head">
        <h3 className="summary-path">
          {pathId(path)}
          {unit !== undefined && ` (${unit})`}
        </h3>
        <Button variant="quiet" icon={X} aria-label={say.close} onPress={() => actions.showSummary(null)} />
      </header>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
      <div className="summary-body" tabIndex={0}>
        <LoadedSummary answered={answered} path={path} />
        {answered.asked.kind === 'find' && <FullSummaryView answered={answered} path={path} />}
      </div>
    </section>
  );
}

/** Formats numbers and times of a column, in the unit in which it is shown. */
function useFormat({ held }: Result, path: readonly string[]): (value: number) => string {
  const zone = useTab('zone');
  const kind =
    useShape(held).columns.find((column) => pathId(column.path) === pathId(path))?.kind ?? 'number';
  const isTime = kind === 'time' || kind === 'date';
  const convert = columnConverter(useTab('changes'), pathId(path));
  if (convert) return (value) => numberText(convert(value));
  return (value) => (isTime ? timeText(value, 'time', zone) : null) ?? numberText(value);
}

// The significant digits of a mean of measurements.
const numberText = (value: number) => String(Number(value.toPrecision(8)));

/** The summary of loaded records, updated when more are loaded. */
function useSummary({ held }: Result, path: readonly string[]): Loadable<Summary> {
  const { loadAll } = useTab('results');
  const [summary, setSummary] = useState<Loadable<Summary>>(loading);
  useEffect(() => {
    let shown = true;
    const stop = watchGrowth(held, loadAll, async () => {
      const next = await held.summary(path).then(loaded, (error: unknown) => failed(toAppError(error)));
      if (shown) setSummary(next);
    });
    return () => {
      shown = false;
      stop();
    };
  }, [held, loadAll, path]);
  return summary;
}

function LoadedSummary({ answered, path }: SummaryPanelProps) {
  const summary = useSummary(answered, path);
  const text = useFormat(answered, path);
  if (summary.status === 'failed') return <Failed error={summary.error} isInForm />;
  if (summary.status !== 'loaded') return <Loading what={say.loading} />;
  const { records, nulls, absent, sentinels, numbers, distinct, frequent } = summary.value;
  return (
    <>
      <h4>{say.loaded(records)}</h4>
      <dl className="facts numbers">
        <Fact name={say.values} value={formatCount(records - nulls - absent - sentinels)} />
        <Fact name={say.nulls} value={formatCount(nulls)} />
        <Fact name={say.absent} value={formatCount(absent)} />
        <Fact name={say.sentinels} value={formatCount(sentinels)} />
        <Fact name={say.distinct} value={distinct === null ? say.many : formatCount(distinct)} />
        {numbers && <NumberRange min={numbers.min} max={numbers.max} mean={numbers.mean} text={text} />}
      </dl>
      {numbers && numbers.max > numbers.min && <Histogram numbers={numbers} text={text} />}
      {!numbers && frequent.length > 0 && <FrequentValues frequent={frequent} of={records} />}
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function NumberRange(props: { min: number; max: number; mean: number; text: (value: number) => string }) {
  const { min, max, mean, text } = props;
  return (
    <>
      <Fact name={say.min} value={text(min)} />
      <Fact name={say.mean} value={text(mean)} />
      <Fact name={say.max} value={text(max)} />
    </>
  );
}

function FrequentValues({ frequent, of }: { frequent: Summary['frequent']; of: number }) {
  return (
    <ul className="frequent" aria-label={say.frequent}>
      {frequent.map(({ text, count }) => (
        <li key={text} className="frequent-item">
          <span className="frequent-share" style={{ width: `${(100 * count) / of}%` }} />
          <span className="frequent-text">{text}</span>
          <span className="frequent-text numbers quiet">{formatCount(count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Runs only on request: the service may have to read everything. */
function FullSummaryView({ answered, path }: SummaryPanelProps) {
  const { actions } = useTab('results');
  const text = useFormat(answered, path);
  const asking = useTask((_: void, signal): Promise<FullSummary> => actions.summarizeAll(path, signal));
  const whole = asking.value;
  return (
    <>
      <h4>{say.whole}</h4>
      {asking.error && <Failed error={asking.error} isInForm />}
      {whole ? (
        <dl className="facts numbers">
          <Fact name={say.records} value={formatCount(whole.records)} />
          <Fact name={say.numbers} value={formatCount(whole.numbers)} />
          <Fact name={say.nulls} value={formatCount(whole.nulls)} />
          <Fact name={say.absent} value={formatCount(whole.absent)} />
          <Fact name={say.sentinels} value={formatCount(whole.sentinels)} />
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
          {say.askWhole}
        </Button>
      )}
    </>
  );
}

export interface HistogramProps {
  readonly numbers: NonNullable<Summary['numbers']>;
  readonly text: (value: number) => string;
}

const height = 56;

/** A histogram of the column's numbers. */
export function Histogram({ numbers: { min, max, histogram }, text }: HistogramProps) {
  const most = Math.max(maxOf(histogram), 1);
  const step = (max - min) / histogram.length;
  return (
    <figure className="results-histogram">
      <svg
        viewBox={`0 0 ${histogram.length} ${height}`}
        preserveAspectRatio="none"
        // oxlint-disable-next-line prefer-tag-over-role -- a drawing that is part of the page is no file
        role="img"
        aria-label={words.results.summary.histogram(text(min), text(max))}
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
      <figcaption className="numbers quiet">
        <span>{text(min)}</span>
        <span>{text(max)}</span>
      </figcaption>
    </figure>
  );
}
