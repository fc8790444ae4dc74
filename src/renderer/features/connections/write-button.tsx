import { useId } from 'react';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

/** A button that is disabled for read-only connections, with the reason. */
export function WriteButton(props: ButtonProps) {
  const id = useId();
  const isReadOnly = useAppState('connections', ({ current }) => current?.readOnly === true);
  if (!isReadOnly) return <Button {...props} variant="quiet" />;
  return (
    <span title={words.drop.readOnly}>
      <Button {...props} variant="quiet" isDisabled aria-describedby={id} />
      <span id={id} className="visually-hidden">
        {words.drop.readOnly}
      </span>
    </span>
  );
}
