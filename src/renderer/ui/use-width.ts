import { useLayoutEffect, useState, type RefObject } from 'react';

/** How many of some widths an element has now. @param steps the widths in pixels, ascending */
export function useWidthStep(element: RefObject<Element | null>, steps: readonly number[]): number {
  const [step, setStep] = useState(steps.length);
  useLayoutEffect(() => {
    const place = element.current;
    if (!place) return undefined;
    const measure = () => {
      const { width } = place.getBoundingClientRect();
      setStep(steps.filter((minWidth) => width >= minWidth).length);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(place);
    return () => resized.disconnect();
  }, [element, steps]);
  return step;
}
