import { useLayoutEffect, useState, type RefObject } from 'react';

/** Rows drawn beyond what is seen, so that a quick scroll does not show gaps. */
const beyond = 6;

export interface RowRange {
  readonly first: number;
  /** The first row that is not drawn any more. */
  readonly end: number;
}

/**
 * Which rows of a long list of rows of one height are to be drawn: those in view of the scrolling element, and a few
 * more. Its component renders again only when that changes.
 */
export function useWindowOfRows(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
): RowRange {
  const [seen, setSeen] = useState<RowRange>({ first: 0, end: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = () => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight);
      setSeen((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, rowHeight]);
  return { first: Math.max(seen.first - beyond, 0), end: Math.min(seen.end + beyond, rows) };
}
