import { formatCount } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';
import type { Summary } from '../records/summary.ts';

export interface HistogramProps {
  readonly numbers: NonNullable<Summary['numbers']>;
  readonly text: (value: number) => string;
}

const height = 56;

/** How the numbers of a column are spread, from the least to the greatest. */
export function Histogram({ numbers: { min, max, histogram }, text }: HistogramProps) {
  const most = Math.max(...histogram, 1);
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
          // A bar of few is still to be seen beside one of many.
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
