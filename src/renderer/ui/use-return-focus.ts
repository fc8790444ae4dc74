import { useEffect, useState } from 'react';

/** Returns the focus to the element that had it before, when this part of the window closes, unless the user moved it. */
export function useReturnFocus(): void {
  // Before anything in it takes the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
