import type { Problem } from '../../../state/problems.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { useTab } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import type { StageCard } from './stage-list.ts';

export interface StagesAlertProps {
  readonly problem: Problem;
  /** The stage that it is about; where it is the one that is looked at, it is told there. */
  readonly card: StageCard | null | undefined;
  readonly chosen: string | null;
}

/** What a run was refused for, with a way to the stage that it is about. */
export function StagesAlert({ problem, card, chosen }: StagesAlertProps) {
  const { actions } = useTab('query').cards;
  if (!card) return <Alert tone="error">{problem.message}</Alert>;
  if (card.id === chosen) return null;
  const show = (
    <Button variant="quiet" onPress={() => actions.choose(card.id)}>
      {words.stages.showStage}
    </Button>
  );
  return (
    <Alert tone="error" actions={show}>
      {problem.message}
    </Alert>
  );
}
