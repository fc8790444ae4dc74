import { useLayoutEffect, useState, type RefObject } from 'react';

/** Which of some steps of width an element has now: how many of them, in pixels and ascending, it is as wide as. */
export function useWidthStep(element: RefObject<Element | null>, steps: readonly number[]): number {
  const [step, setStep] = useState(steps.length);
  useLayoutEffect(() => {
    const place = element.current;
    if (!place) return undefined;
    const measure = () => {
      const { width } = place.getBoundingClientRect();
      setStep(steps.filter((least) => width >= least).length);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(place);
    return () => resized.disconnect();
  }, [element, steps]);
  return step;
}
