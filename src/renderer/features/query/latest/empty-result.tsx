import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { rangeFieldOf, readRange, writeRange } from '../../../../shared/language/text/conditions.ts';
import type { RecordsRequest } from '../../../../shared/query/query.ts';
import { formatDepth } from '../../../format/numbers.ts';
import { formatAgo } from '../../../format/times.ts';
import { useSessionState, useTab } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useLoaded } from '../../../state/use-loaded.ts';
import { minuteMs, useTimeOfDay } from '../../../state/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { Empty } from '../../../ui/view-states.tsx';
import { words } from '../../../words/words.ts';
import { timeText } from '../../records/shown-cells.ts';
import { conditionsOf } from '../conditions.ts';
import type { QueryTab } from '../query-tab.ts';
import { rangeBefore, reach } from './latest-record.ts';

interface EmptyResultProps {
  readonly tab: QueryTab;
  /** The query without matching records. */
  readonly request: RecordsRequest;
}

/** Says that no records match, and which record is the latest if the range excludes it. */
export function EmptyResult({ tab, request }: EmptyResultProps) {
  const { actions, dataset, store, results } = tab;
  const field = useMemo(() => rangeFieldOf(dataset.type), [dataset.type]);
  const search = useLoaded(useCallback((signal) => actions.findLatest(request, signal), [actions, request]));
  // If it fails, the sentence is true without it.
  const latest = valueOr(search, null);
  const zone = useTab('zone') ?? 'UTC';
  const unit = useStore(results.store, ({ units }) => (field ? units.get(field.path) : undefined));
  const conditions = useStore(store, ({ text }) => conditionsOf(text));
  const now = useTimeOfDay(minuteMs);
  // Other wells may be selected meanwhile: the button runs the query for those.
  useSessionState('tabs', tab.wells);
  if (field === null || latest === null) return <Empty>{words.results.none}</Empty>;
  const { latest: w } = words.query;
  const depth = (amount: number) =>
    unit === undefined ? formatDepth(amount) : `${formatDepth(amount)} ${unit}`;
  const isTime = field.of === 'time';
  const when = isTime ? `${timeText(latest, 'time', zone) ?? String(latest)} ${zone}` : depth(latest);
  const ago = isTime ? formatAgo(new Date(latest).toISOString(), now) : null;
  const canWrite = conditions !== null && readRange(conditions, field).kind === 'range';
  const show = () => {
    actions.change((text) => writeRange(text, field, rangeBefore(latest, field)));
    void actions.run();
  };
  return (
    <Empty
      action={
        canWrite && <Button onPress={show}>{isTime ? w.showTime : w.showDepth(depth(reach.depth))}</Button>
      }
    >
      <Status>
        {words.results.noneInRange}{' '}
        <span className="latest-record numbers">{isTime ? w.time(when, ago) : w.depth(when)}</span>
      </Status>
    </Empty>
  );
}
