import { localZone } from '../../format/zoned.ts';
import { Choice } from '../../ui/choice.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { words } from '../../words/words.ts';
import type { TimeView } from './grid-view.ts';
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

const zones: Record<TimeView, string> = {
  utc: words.results.utcTimes,
  local: words.results.localTimes(localZone),
  raw: words.results.rawTimes,
};

/** In which zone their times are shown. */
export function ZoneBox<Z extends TimeView>({ value, of, onChange }: ChoiceOf<Z>) {
  return (
    <SelectBox
      label={words.results.times}
      value={value}
      options={of.map((id) => ({ id, text: zones[id] }))}
      onChange={onChange}
    />
  );
}
