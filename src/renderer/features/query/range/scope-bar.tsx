import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { QuestionText } from '../../../../shared/query/question.ts';
import { Notice } from '../../../ui/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { scopeOf } from '../../../../shared/wells/scope.ts';
import { conditionsOf } from '../conditions.ts';
import { useIsCurrent } from '../question-parts.ts';
import { readScope, writeScope } from '../../../../shared/language/text/scope.ts';
import {
  rangeFieldOf,
  readRange,
  type RangeField,
  type RangeInText,
} from '../../../../shared/language/text/range.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { RangePicker } from './range-picker.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { boundAt, boundOrder } from '../../../format/range-inputs.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { FoldButton, useFold } from '../question-fold.tsx';

/** The text after rendering: reading a long text takes longer than a key press. */
const useDeferredText = (): QuestionText => useDeferredValue(useTabState('query', (state) => state.text));

/** The wells, the range, and the filters of the query. */
export function ScopeBar() {
  return <ScopeControls text={useDeferredText()} />;
}

const ScopeControls = memo(function ScopeControls({ text }: { text: QuestionText }) {
  const { actions, dataset, scopePath } = useTab('query');
  const { setOpen } = useFold();
  const path = scopePath();
  const conditions = conditionsOf(text);
  const field = useMemo(() => rangeFieldOf(dataset.type), [dataset.type]);
  if (conditions === null) return null;
  const showText = () =>
    text.mode === 'pipeline' ? actions.type('pipeline', { view: 'text' }) : setOpen(true);
  return (
    <div className="scope-bar">
      {path !== null && <ScopePicker conditions={conditions} path={path} />}
      {field && <RangePicker field={field} conditions={conditions} />}
      <FilterBar conditions={conditions} onShowText={showText} />
      {field && <CountOffer field={field} conditions={conditions} />}
      {text.mode === 'find' && <FoldButton text={text.find} />}
    </div>
  );
});

/** Ranges of more days than this offer a count first. */
const maxDaysWithoutCount = 31;

/**
 * Whether a range is so wide that a count is worthwhile: no range, no start, or many days. Ranges that can't
 * be read don't count.
 * @param now Unix milliseconds
 */
export function isWideRange(range: RangeInText, { of }: RangeField, now: number): boolean {
  if (range.kind === 'odd') return false;
  const { from, to } = range;
  if (of === 'depth') return from === null && to === null;
  const [start, end] = [from, to].map((bound) => boundOrder(boundAt(bound, now)));
  return start == null || (end ?? now) - start > maxDaysWithoutCount * 86_400_000;
}

/** Offers a count if the range is wide and the query hasn't run. */
function CountOffer({ field, conditions }: { field: RangeField; conditions: string }) {
  const { actions } = useTab('query');
  const isCurrent = useIsCurrent('counted');
  const isRunCurrent = useIsCurrent('run');
  const isFree = useTabState(
    'query',
    ({ text, count, lastParts }) =>
      text.mode !== 'pipeline' &&
      !text.countFirst &&
      (lastParts.run === null || !isRunCurrent) &&
      (count.status === 'idle' || (count.status !== 'running' && !isCurrent)),
  );
  // Days matter here, not minutes: the time of the first render is exact enough.
  const [now] = useState(Date.now);
  const wide = useMemo(() => isWideRange(readRange(conditions, field), field, now), [conditions, field, now]);
  if (!isFree || !wide) return null;
  return (
    <Button variant="quiet" className="scope-offer" onPress={() => void actions.count()}>
      {words.query.wide}
    </Button>
  );
}

/** Says if the query names other wells than the selected ones, and offers to follow the selection. */
export function ScopeNotice() {
  return <ScopeMismatch text={useDeferredText()} />;
}

const ScopeMismatch = memo(function ScopeMismatch({ text }: { text: QuestionText }) {
  const { actions, scopePath } = useTab('query');
  const selected = useTabWells();
  const queryConditions = conditionsOf(text);
  const path = scopePath();
  const scope = useMemo(
    () => (queryConditions === null || path === null ? null : readScope(queryConditions, path)),
    [queryConditions, path],
  );
  if (path === null || scope?.kind !== 'ids' || selected.length === 0) return null;
  const ids = new Set<number>(scopeOf(selected));
  const scopeIds = new Set(scope.ids);
  if (scopeIds.size === ids.size && scopeIds.isSubsetOf(ids)) return null;
  const followSelection = () =>
    actions.change((conditions) => writeScope(conditions, path, { kind: 'chosen' }));
  return (
    <Notice
      tone="info"
      actions={
        <Button variant="quiet" onPress={followSelection}>
          {words.query.takeWells}
        </Button>
      }
    >
      {words.query.otherWells}
    </Notice>
  );
});
