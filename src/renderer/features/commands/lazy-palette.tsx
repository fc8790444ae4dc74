import { useEffect, useEffectEvent, useState } from 'react';
import { useApp, useAppState } from '../../contexts.ts';
import type { KeyFocus } from './commands.ts';

const load = () => import('./palette.tsx');
type Palette = Awaited<ReturnType<typeof load>>['Palette'];

// The find box of an editor is part of it.
const dialogs = ':is([role=dialog], [role=alertdialog]):not(.code-editor *)';

/** Dialogs are modal; a menu has the focus while it is open. They are only searched for a shortcut. */
const focusOf = ({ target }: KeyboardEvent): KeyFocus => ({
  isInEditor: () => target instanceof Element && target.closest('.code-editor') !== null,
  isInDialog: () =>
    document.querySelector(dialogs) !== null ||
    (target instanceof Element && target.closest('[role=menu]') !== null),
});

/**
 * Handles shortcuts before the editor and the grid do, and shows the palette. The palette loads after the
 * first screen.
 * @param after resolves after the first screen
 */
export function LazyPalette({ after }: { after: Promise<void> }) {
  const open = useAppState('commands', (state) => state.open);
  const due = useAppState('commands', (state) => state.pendingEntry);
  const { press, seek, runPending } = useApp().commands.actions;
  const text = useAppState('commands', (state) => state.text);
  const [palette, setPalette] = useState<{ readonly Palette: Palette } | null>(null);
  const isComing = open && palette === null;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!press(event, focusOf(event))) {
      // Text typed before the palette is loaded goes into its search.
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isComing || !isLetter) return;
      seek(text + event.key);
    }
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
  useEffect(() => {
    // If loading fails, shortcuts still work.
    after.then(load).then(setPalette, () => undefined);
  }, [after]);
  useEffect(() => {
    if (due === null) return undefined;
    // The palette returns the focus before the next frame.
    const frame = requestAnimationFrame(() => runPending());
    return () => cancelAnimationFrame(frame);
  }, [due, runPending]);
  return open && palette && <palette.Palette />;
}
