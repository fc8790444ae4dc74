import type { QuestionMode } from '../../../shared/query/question.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { useTab, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { carried } from './carry.ts';

const modes: { id: QuestionMode; text: string }[] = [
  { id: 'find', text: words.query.modes.find },
  { id: 'aggregate', text: words.query.modes.aggregate },
  { id: 'pipeline', text: words.query.modes.pipeline },
];

/** Which of the three ways to ask is used. */
export function ModeSwitch() {
  const { actions } = useTab('query');
  const mode = useTabState('query', (state) => state.text.mode);
  return (
    <Choice
      label={words.query.modes.label}
      layout="line"
      value={mode}
      options={modes}
      onChange={actions.switchTo}
    />
  );
}

/** After a change of mode: offers to take over what the mode before asks, where that would change anything. */
export function CarryOffer() {
  const { actions } = useTab('query');
  const text = useTabState('query', (state) => state.text);
  const left = useTabState('query', (state) => state.left);
  const { carry } = words.query;
  if (left === null || left === text.mode) return null;
  const found = carried(text, left, text.mode);
  if (!found) return <Alert tone="info">{carry.unreadable}</Alert>;
  if (JSON.stringify(found.text[text.mode]) === JSON.stringify(text[text.mode])) return null;
  return (
    <Alert
      tone="info"
      actions={
        <>
          <Button variant="quiet" onPress={actions.carryOver}>
            {carry.take}
          </Button>
          <Button variant="quiet" onPress={actions.refuseCarry}>
            {carry.keep}
          </Button>
        </>
      }
    >
      {carry.offer(carry.from[left])} {found.left.length > 0 && carry.left(found.left.join(', '))}
    </Alert>
  );
}
