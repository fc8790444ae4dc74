import { useLayoutEffect, useState, type RefObject } from 'react';

/** By their widths, the steps that elements had last: the next one mostly has the same, and isn't rendered twice. */
const lastSteps = new WeakMap<readonly number[], number>();

/** How many of some widths an element has now. @param steps the widths in pixels, ascending; the same array each time */
export function useWidthStep(element: RefObject<Element | null>, steps: readonly number[]): number {
  const [step, setStep] = useState(() => lastSteps.get(steps) ?? steps.length);
  useLayoutEffect(() => {
    const place = element.current;
    if (!place) return undefined;
    const measure = () => {
      const { width } = place.getBoundingClientRect();
      const next = steps.filter((minWidth) => width >= minWidth).length;
      lastSteps.set(steps, next);
      setStep(next);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(place);
    return () => resized.disconnect();
  }, [element, steps]);
  return step;
}
