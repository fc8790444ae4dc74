import { useRef } from 'react';

export interface SizeDividerProps {
  readonly label: string;
  /** The part that it resizes: the height of the one above, or the width of the one after it. */
  readonly part: 'above' | 'after';
  /** The size of the part in pixels. */
  readonly value: number;
  readonly min: number;
  readonly onChange: (size: number) => void;
  /** A double click, or Home. */
  readonly onReset: () => void;
}

/** The pixels of an arrow key: a line of code. */
const step = 20;

export function SizeDivider({ label, part, value, min, onChange, onReset }: SizeDividerProps) {
  const start = useRef({ at: 0, size: 0 });
  const resize = (size: number) => onChange(Math.max(min, Math.round(size)));
  const isAbove = part === 'above';
  const [more, less] = isAbove ? ['ArrowDown', 'ArrowUp'] : ['ArrowLeft', 'ArrowRight'];
  // A part after the divider grows when it moves to the left.
  const at = ({ clientX, clientY }: { clientX: number; clientY: number }) => (isAbove ? clientY : -clientX);
  return (
    <div
      // oxlint-disable-next-line prefer-tag-over-role -- an hr can't be moved
      role="separator"
      aria-label={label}
      aria-orientation={isAbove ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      tabIndex={0}
      className={isAbove ? 'divider divider-row divider-height' : 'divider divider-column divider-width'}
      onPointerDown={(event) => {
        start.current = { at: at(event), size: value };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          resize(start.current.size + at(event) - start.current.at);
      }}
      onDoubleClick={onReset}
      onKeyDown={({ key }) => {
        if (key === more) resize(value + step);
        else if (key === less) resize(value - step);
        else if (key === 'Home') onReset();
      }}
    />
  );
}
