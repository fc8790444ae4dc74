import { RotateCcw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';

interface ChangedMarkProps {
  /** What is modified. */
  readonly name: string;
  readonly onReset: () => void;
}

/** The mark of a modified setting or shortcut, with its reset button. */
export function ChangedMark({ name, onReset }: ChangedMarkProps) {
  return (
    <span className="setting-changed row gap-0 small">
      <span>{words.settings.changed}</span>
      <Button variant="quiet" icon={RotateCcw} aria-label={words.settings.reset(name)} onPress={onReset} />
    </span>
  );
}
