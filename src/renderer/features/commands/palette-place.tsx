import { useEffect, useEffectEvent, useState } from 'react';
import { useApp, useAppState } from '../../state/contexts.ts';

const load = () => import('./palette.tsx');
type Palette = Awaited<ReturnType<typeof load>>['Palette'];

/**
 * Listens for the shortcuts before editor and grid do, and shows the palette. It is fetched as soon as the window stands:
 * whoever asks for it types on at once.
 * @param after resolves when the window stands
 */
export function PalettePlace({ after }: { after: Promise<void> }) {
  const open = useAppState('commands', (state) => state.open);
  const due = useAppState('commands', (state) => state.due);
  const { press, seek, carryOut } = useApp().commands.actions;
  const text = useAppState('commands', (state) => state.text);
  const [palette, setPalette] = useState<{ readonly Palette: Palette } | null>(null);
  const isComing = open && palette === null;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isInQuestion =
      event.target instanceof Element && event.target.closest('[data-question], [role="dialog"]') !== null;
    if (!press(event, isInQuestion)) {
      // What is typed before the palette is there is typed into it.
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
    // One that can't be fetched is asked for again with the next window; the shortcuts do without it.
    after.then(load).then(setPalette, () => undefined);
  }, [after]);
  useEffect(() => {
    if (due === null) return undefined;
    // The palette gives the focus back before the next frame is drawn.
    const frame = requestAnimationFrame(() => carryOut());
    return () => cancelAnimationFrame(frame);
  }, [due, carryOut]);
  return open && palette && <palette.Palette />;
}
