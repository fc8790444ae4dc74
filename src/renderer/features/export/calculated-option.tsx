import { CheckBox } from '../../ui/check-box.tsx';
import { words } from '../../words/words.ts';
import type { CalculatedState } from '../results/calculated-columns.ts';

interface CalculatedOptionProps {
  readonly calculated: CalculatedState;
  readonly isChecked: boolean;
  /** Whether the file can have them. */
  readonly isCalculable: boolean;
  /** Whether there is a result, whose columns they are calculated of. */
  readonly hasResult: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

const w = words.export;

/** Whether the file has the calculated columns too, and why not. */
export function CalculatedOption(props: CalculatedOptionProps) {
  const { calculated, isChecked, isCalculable, hasResult, onChange } = props;
  const { columns, facts } = calculated;
  const { noResult, stored, ordered } = w.calculatedNotes;
  const isOrdered = isChecked && [...facts.values()].some(({ needsRowsBefore }) => needsRowsBefore);
  const note = !isCalculable ? stored : !hasResult ? noResult : isOrdered ? ordered : undefined;
  return (
    <CheckBox
      label={w.calculated(columns.map(({ name }) => name))}
      checked={isChecked && hasResult}
      isDisabled={!isCalculable || !hasResult}
      {...(note === undefined ? {} : { note })}
      onChange={onChange}
    />
  );
}
