import { useId } from 'react';
import { instantOf } from '../../../shared/instants.ts';
import { formatMoment } from '../../format/moments.ts';
import { formatCount, formatDepth } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';
import type { DatasetExtent } from '../../../shared/datasets/datasets.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/view-states.tsx';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useTab, useTabState } from '../../contexts.ts';

const dayMs = 86_400_000;

/** A bound of the extent, from JSON text. Times are in UTC. */
function formatBound(field: string, json: string | null): string {
  if (json === null) return words.unknown;
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'number') return String(value);
  return field === 'timestamp' ? `${formatMoment(value, 'utc')} UTC` : formatDepth(value);
}

const millisecondsOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? instantOf(value) : Number.NaN;

/** The span between the bounds: days, or a length for depths. Null: unknown. */
function formatSpan(field: string, first: string, last: string): string | null {
  const [from, to]: unknown[] = [JSON.parse(first), JSON.parse(last)];
  if (field === 'measured_depth')
    return typeof from === 'number' && typeof to === 'number' ? formatDepth(to - from) : null;
  const ms = millisecondsOf(to) - millisecondsOf(from);
  if (!Number.isFinite(ms) || ms < 0) return null;
  if (ms < dayMs) return words.datasets.underADay;
  return words.datasets.days(Math.round(ms / dayMs), formatCount(Math.round(ms / dayMs)));
}

/** The number of records for the selected wells, and their first and last index values. */
export function ExtentView() {
  const extentHeadingId = useId();
  const wells = useTabState('dataset', (state) => state.wells);
  const w = words.datasets;
  return (
    <section className="dataset-part" aria-labelledby={extentHeadingId}>
      <h3 id={extentHeadingId}>{wells.length === 0 ? w.extentOfAll : w.extentOf(wells.length)}</h3>
      <Body />
    </section>
  );
}

function Body() {
  const { actions } = useTab('dataset');
  const extent = useTabState('dataset', (state) => state.extent);
  const again = () => void actions.loadExtent();
  switch (extent.status) {
    case 'idle':
      return (
        <Button className="self-start" onPress={again}>
          {words.datasets.askExtent}
        </Button>
      );
    case 'loading':
      return <Loading what={words.datasets.extentLoading} onCancel={() => actions.cancel('extent')} />;
    case 'failed':
      return <ConnectionFailed error={extent.error} onRetry={again} />;
    case 'loaded':
      return <Extent extent={extent.value} />;
  }
}

function Extent({ extent }: { extent: DatasetExtent }) {
  const { count, field, first, last, unplaced, problem, of, scope } = extent;
  const wells = useTabState('dataset', (state) => state.wells.length);
  const w = words.datasets;
  const span = field === null || first === null || last === null ? null : formatSpan(field, first, last);
  return (
    <>
      {count !== null && (
        <p className="dataset-count numbers">
          <strong>{formatCount(count)}</strong> {w.records(count)}
          {span !== null && <span className="quiet"> · {span}</span>}
        </p>
      )}
      {count === 0 && wells > 0 && <p className="quiet">{w.noneForWells}</p>}
      {field !== null && count !== 0 && (
        <dl className="facts numbers">
          <dt>{w.first(field)}</dt>
          <dd>{formatBound(field, first)}</dd>
          <dt>{w.last(field)}</dt>
          <dd>{formatBound(field, last)}</dd>
        </dl>
      )}
      {unplaced && field !== null && <p className="quiet">{w.unplaced(field)}</p>}
      {wells > 0 && of === 'all' && <p className="quiet">{w.belongsToNobody}</p>}
      {wells > 0 && of === 'wells' && scope?.endsWith('company_id') && (
        <p className="quiet">{w.belongsToCompany(scope)}</p>
      )}
      {problem && <Alert tone="warning">{problem.message}</Alert>}
    </>
  );
}
