import { Choice } from '../../ui/choice.tsx';
import { words } from '../../words/words.ts';
import type { ResultsView } from './results.ts';

interface ChoiceOf<T> {
  readonly value: T;
  readonly of: readonly T[];
  readonly onChange: (value: T) => void;
}

/** How records are looked at. */
export function ViewChoice<V extends ResultsView>({ value, of, onChange }: ChoiceOf<V>) {
  return (
    <span className="answer-views">
      <Choice
        label={words.results.view}
        layout="line"
        value={value}
        options={of.map((id) => ({ id, text: words.results.views[id] }))}
        onChange={onChange}
      />
    </span>
  );
}
