import { useEffect, useState } from 'react';
import { readSummary, recordsColumn } from '../../../shared/language/text/summary.ts';
import { words } from '../../words/words.ts';
import type { Result } from './results.ts';

/** Over how many records the groups of a summary were computed. */
export default function SummaryReach({ answered }: { answered: Result }) {
  const { asked, held } = answered;
  const [computed, setComputed] = useState<{
    readonly held: Result['held'];
    readonly over: number | null;
  } | null>(null);
  useEffect(() => {
    let isShown = true;
    if (asked.kind === 'pipeline' && readSummary(asked.request.stages))
      void held.summary([recordsColumn]).then(
        ({ numbers }) =>
          isShown && setComputed({ held, over: numbers && Math.round(numbers.mean * numbers.count) }),
        () => undefined,
      );
    return () => {
      isShown = false;
    };
  }, [asked, held]);
  const over = computed?.held === held ? computed.over : null;
  return over === null ? null : <span> · {words.results.computedFrom(words.summary.over(over))}</span>;
}
