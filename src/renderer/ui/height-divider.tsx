import { useRef } from 'react';

export interface HeightDividerProps {
  /** The label for screen readers. */
  readonly label: string;
  /** The height above it in pixels. */
  readonly value: number;
  readonly min: number;
  readonly onChange: (height: number) => void;
  /** A double click, or Home. */
  readonly onReset: () => void;
}

/** The pixels of an arrow key: a line of code. */
const step = 20;

/** A divider that the pointer or arrow keys move. */
export function HeightDivider({ label, value, min, onChange, onReset }: HeightDividerProps) {
  const start = useRef({ y: 0, height: 0 });
  const resize = (height: number) => onChange(Math.max(min, Math.round(height)));
  return (
    <div
      // oxlint-disable-next-line prefer-tag-over-role -- an hr can't be moved
      role="separator"
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      tabIndex={0}
      className="divider divider-row divider-height"
      onPointerDown={(event) => {
        start.current = { y: event.clientY, height: value };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          resize(start.current.height + event.clientY - start.current.y);
      }}
      onDoubleClick={onReset}
      onKeyDown={({ key }) => {
        if (key === 'ArrowDown') resize(value + step);
        else if (key === 'ArrowUp') resize(value - step);
        else if (key === 'Home') onReset();
      }}
    />
  );
}
