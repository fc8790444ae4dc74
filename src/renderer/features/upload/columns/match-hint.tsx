import { CircleCheck, Lightbulb } from 'lucide-react';
import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import { symbolText } from '../../../../shared/channels/units.ts';
import { isSure, minConfidence, type FieldMatch } from '../../../../shared/upload/proposals.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { matchesOf, proposalFor } from './proposals.ts';

const w = uploadWords.columns.proposals;

/** Why a match is proposed, how sure it is, and the conversion that it brings. */
function reasonText({ why, confidence, unit, fieldUnit }: FieldMatch): string {
  const reason = w.reason(why, Math.round(confidence * 100));
  if (unit === null || unit === fieldUnit) return reason;
  if (fieldUnit === null) return `${reason}. ${w.noFieldUnit(symbolText(unit))}`;
  return `${reason}. ${w.converts(symbolText(unit), symbolText(fieldUnit))}`;
}

/** Why a column goes to its field; or a field that it may belong to, which one press selects. */
export function MatchHint({ column }: { readonly column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const proposal = useTabState('upload', (state) => proposalFor(state, column.column));
  const match = proposal?.match ?? null;
  const isTaken = useTabState(
    'upload',
    (state) => state.match.value?.columns.some(({ to }) => to === match?.field) ?? false,
  );
  if (!match) return null;
  const reason = reasonText(match);
  if (column.to === match.field)
    return (
      <span className="flex-none quiet" title={reason}>
        <CircleCheck size={12} aria-hidden />
        <span className="visually-hidden">{reason}</span>
      </span>
    );
  // A sure match was proposed before, and the user selected something else; two columns can't fill one field.
  if (isSure(match) || isTaken || match.confidence < minConfidence) return null;
  return (
    <span title={reason}>
      <Button
        variant="quiet"
        size="small"
        icon={Lightbulb}
        className="flex-none small"
        aria-label={w.use(match.field, column.column)}
        onPress={() => actions.selectMatch(column.column, match)}
      >
        {w.suggestion(match.field)}
      </Button>
    </span>
  );
}

/** All fields that a column may belong to, with their reasons. */
export function MatchList({ column }: { readonly column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const proposal = useTabState('upload', (state) => proposalFor(state, column.column));
  const matches = matchesOf(proposal).filter(({ confidence }) => confidence >= minConfidence);
  if (matches.length === 0) return null;
  return (
    <section aria-label={w.heading}>
      <h3>{w.heading}</h3>
      <ul className="stack gap-0">
        {matches.map((match) => (
          <li key={match.field}>
            <Button
              variant="quiet"
              aria-pressed={column.to === match.field}
              onPress={() => actions.selectMatch(column.column, match)}
            >
              <span className="mono small">{match.field}</span>
            </Button>
            <span className="quiet small"> {reasonText(match)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
