import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { ComboBox, type ComboBoxProps } from '../../../ui/combo-box.tsx';

export interface EditableCellProps extends Pick<
  ComboBoxProps,
  'label' | 'value' | 'text' | 'find' | 'allowsCustom' | 'onSelect'
> {
  /** What the cell shows, where that is not the text. */
  readonly children?: ReactNode;
  readonly className?: string;
}

/**
 * A value that is edited in place: a button until it is pressed, so that a list of thousands stays light, then a combo
 * box. Enter takes the value, Escape leaves it, and both return the focus to the button.
 */
export function EditableCell({ children, className, ...box }: EditableCellProps) {
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  /** Whether the focus leaves the cell: Tab takes the text, too, and goes to the next control. */
  const isLeaving = useRef(false);
  useEffect(() => {
    if (isEditing || !returnsFocus.current) return;
    returnsFocus.current = false;
    button.current?.focus();
  }, [isEditing]);
  const finish = () => {
    returnsFocus.current = !isLeaving.current;
    setEditing(false);
  };
  if (!isEditing)
    return (
      <button
        ref={button}
        type="button"
        className={`cell-button ${className ?? ''}`}
        aria-label={`${box.label}: ${box.text}`}
        onClick={() => setEditing(true)}
      >
        {children ?? box.text}
      </button>
    );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The box has taken the text, or the option of its list, before. The button would be pressed by the same key.
    event.preventDefault();
    finish();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
    if (!currentTarget.contains(relatedTarget)) setEditing(false);
    isLeaving.current = false;
  };
  return (
    // oxlint-disable-next-line no-static-element-interactions -- it only follows keys and focus of the box in it
    <div
      className="cell-editor"
      onKeyDownCapture={({ key }) => (isLeaving.current = key === 'Tab')}
      onKeyDown={onKeyDown}
      onBlurCapture={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) isLeaving.current = true;
      }}
      onBlur={onBlur}
    >
      <ComboBox
        {...box}
        isLabelHidden
        size="small"
        hasInitialFocus
        onSelect={(value) => {
          box.onSelect(value);
          finish();
        }}
      />
    </div>
  );
}
