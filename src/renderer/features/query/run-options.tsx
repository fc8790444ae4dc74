import { SlidersHorizontal } from 'lucide-react';
import { Switch } from 'react-aria-components/Switch';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useTab, useTabState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';

/** Opens how the questions of this tab are run. */
export function RunOptions() {
  const { options } = words.query;
  return (
    <Popup
      heading={options.open}
      trigger={<Button icon={SlidersHorizontal} variant="quiet" aria-label={options.open} />}
    >
      {() => <RunOptionsForm />}
    </Popup>
  );
}

/** How the questions of this tab are run. */
export function RunOptionsForm() {
  const { actions } = useTab('query');
  const { options } = words.query;
  const timeout = useTabState('query', (state) => state.text.timeout);
  const countFirst = useTabState('query', (state) => state.text.countFirst);
  const problem = useTabState('query', (state) => state.problems.timeout);
  return (
    <div className="run-options">
      <TextField
        label={options.timeout}
        name="timeout"
        value={timeout}
        onChange={(text) => actions.set({ timeout: text })}
        placeholder={options.timeoutHint}
        note={options.timeoutNote}
        problem={problem?.message}
        inputMode="numeric"
      />
      <Switch
        className="query-switch"
        isSelected={countFirst}
        onChange={(isOn) => actions.set({ countFirst: isOn })}
      >
        <span className="switch-track" aria-hidden />
        {options.countFirst}
      </Switch>
      <p className="field-note">{options.countFirstNote}</p>
    </div>
  );
}
