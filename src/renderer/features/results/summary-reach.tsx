import { useMemo } from 'react';
import { readSummary, recordsColumn } from '../../../shared/language/text/summary.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { words } from '../../words/words.ts';
import type { Result } from './results.ts';

/** Over how many records the groups of a summary were computed. */
export default function SummaryReach({ result }: { result: Result }) {
  const { asked, held } = result;
  const isSummary = asked.kind === 'pipeline' && readSummary(asked.request.stages) !== null;
  const counts = useLoaded(
    useMemo(() => (isSummary ? () => held.summary([recordsColumn]) : null), [isSummary, held]),
  );
  const numbers = counts.status === 'loaded' ? counts.value.numbers : null;
  if (!numbers) return null;
  const over = Math.round(numbers.mean * numbers.count);
  return <span> · {words.results.computedFrom(words.summary.over(over))}</span>;
}
