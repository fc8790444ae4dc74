import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The place at the top right of an upload; null: it isn't drawn yet. */
export const PrimaryPlaceContext = createContext<HTMLElement | null>(null);

/** The buttons that lead on from a step, at the top right in all steps, wherever the step scrolls. */
export function PrimaryAction({ children }: { children: ReactNode }) {
  const place = use(PrimaryPlaceContext);
  return place && createPortal(children, place);
}
