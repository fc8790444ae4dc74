import { OptionGroup } from '../../ui/option-group.tsx';
import { words } from '../../words/words.ts';
import type { ResultsView } from '../../../shared/tabs/results-view.ts';

interface ViewSelectProps<T> {
  readonly value: T;
  readonly of: readonly T[];
  readonly onChange: (value: T) => void;
}

export function ViewSelect<V extends ResultsView>({ value, of, onChange }: ViewSelectProps<V>) {
  return (
    <span className="answer-views">
      <OptionGroup
        label={words.results.view}
        layout="line"
        value={value}
        options={of.map((id) => ({ id, text: words.results.views[id] }))}
        onChange={onChange}
      />
    </span>
  );
}
