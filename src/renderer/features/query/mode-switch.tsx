import type { QuestionMode } from '../../../shared/query/question.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { useTab, useTabState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { serviceMode } from './convert-mode.ts';

/** A summary is a pipeline in the view of its figures. */
const modes: { id: Exclude<QuestionMode, 'aggregate'> | 'summary'; text: string }[] = [
  { id: 'find', text: words.query.modes.find },
  { id: 'summary', text: words.summary.mode },
  { id: 'pipeline', text: words.query.modes.pipeline },
  { id: 'sql', text: words.query.modes.sql },
];

/** @param isNarrow whether the modes have no room side by side */
export function ModeSwitch({ isNarrow }: { isNarrow: boolean }) {
  const { actions } = useTab('query');
  const mode = useTabState('query', ({ text }) =>
    text.mode === 'pipeline' && text.pipeline.view === 'summary' ? 'summary' : text.mode,
  );
  const switchTo = (next: QuestionMode | 'summary') => {
    if (next === 'summary') return void actions.summarize(null);
    if (mode === 'summary') actions.type('pipeline', { view: 'text' });
    if (next !== 'pipeline' || mode !== 'summary') actions.switchTo(next);
  };
  if (isNarrow)
    return <SelectBox label={words.query.modes.label} value={mode} options={modes} onChange={switchTo} />;
  return (
    <OptionGroup
      label={words.query.modes.label}
      layout="line"
      value={mode}
      options={modes}
      onChange={switchTo}
    />
  );
}

/** After a change of mode, at its place and not in the line of notices, where others could hide it: offers to copy the previous mode's query, if that changes anything. */
export function CopyQueryOffer() {
  const { actions } = useTab('query');
  const text = useTabState('query', (state) => state.text);
  const left = useTabState('query', (state) => state.previousMode);
  const { carry } = words.query;
  const [from, to] = [serviceMode(left), serviceMode(text.mode)];
  if (!from || !to || from === to) return null;
  const conversion = actions.previewConversion(from, to);
  if (!conversion)
    return (
      <Alert isStrip tone="info">
        {carry.unreadable}
      </Alert>
    );
  if (JSON.stringify(conversion.text[to]) === JSON.stringify(text[to])) return null;
  return (
    <Alert
      isStrip
      tone="info"
      actions={
        <>
          <Button variant="quiet" onPress={actions.convertPrevious}>
            {carry.take}
          </Button>
          <Button variant="quiet" onPress={actions.dismissConversion}>
            {carry.keep}
          </Button>
        </>
      }
    >
      {carry.offer(carry.from[from])}{' '}
      {conversion.omitted.length > 0 && carry.left(conversion.omitted.join(', '))}
    </Alert>
  );
}
