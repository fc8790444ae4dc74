import { useEffect, useState } from 'react';

/** Gives the focus back to what had it when this part of the window goes, unless the person went elsewhere meanwhile. */
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
