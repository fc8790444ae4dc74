/** A place of the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A cell (or a column's head: `row` is null) and where to show something beside it. */
export interface GridPlace {
  readonly row: number | null;
  readonly column: string;
  readonly at: Point;
}

/** Where an event happened: the pointer's place, or that of the element in focus when it came from the keyboard. */
export function pointedAt(event: Event | null | undefined): Point {
  if (event instanceof MouseEvent && (event.clientX !== 0 || event.clientY !== 0))
    return { x: event.clientX, y: event.clientY };
  const box = document.activeElement?.getBoundingClientRect();
  return { x: box?.left ?? 0, y: box?.bottom ?? 0 };
}
