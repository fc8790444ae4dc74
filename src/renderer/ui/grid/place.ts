import type { Row } from './row-source.ts';

/** A position in the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cell, or a column header (`row` null), and a position beside it. */
export interface GridPlace<Block> {
  readonly row: number | null;
  /** Null: it isn't loaded. */
  readonly data: Row<Block> | null;
  readonly column: string;
  readonly at: Point;
}

/** The position of an event: the pointer, or the focused element for keyboard events. */
export function eventPoint(event: Event | null | undefined): Point {
  if (event instanceof MouseEvent && (event.clientX !== 0 || event.clientY !== 0))
    return { x: event.clientX, y: event.clientY };
  const box = document.activeElement?.getBoundingClientRect();
  return { x: box?.left ?? 0, y: box?.bottom ?? 0 };
}

const isControlKey = (event: Event | null | undefined, letter: string): event is KeyboardEvent =>
  event instanceof KeyboardEvent && event.key.toLowerCase() === letter && (event.ctrlKey || event.metaKey);

export const isCopyKey = (event: Event | null | undefined): boolean => isControlKey(event, 'c');

export const isSelectAllKey = (event: Event | null | undefined): event is KeyboardEvent =>
  isControlKey(event, 'a');
