import { middleOf, moved, within, zoomed } from '../../ui/plot/nearest.ts';
import { logExtent, type Part } from './extent.ts';
import type { Content, Drawn } from './content.ts';

/** The effect of a key on a plot. `by`: points for the cursor, a share of the range, or a zoom factor. */
export type KeyStep =
  | { readonly do: 'step' | 'pan' | 'zoom'; readonly by: number }
  | { readonly do: 'reset' }
  | { readonly do: 'select' };

const far = Number.MAX_SAFE_INTEGER;
const zoomStep = 1.5;

/** @returns null for a key without an effect */
export function keyStep({
  key,
  shiftKey,
  ctrlKey = false,
  metaKey = false,
  altKey = false,
}: Pick<KeyboardEvent, 'key' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>>): KeyStep | null {
  // Those of the window, such as its zoom.
  if (ctrlKey || metaKey || altKey) return null;
  const places = shiftKey ? 10 : 1;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return { do: 'step', by: places };
    case 'ArrowLeft':
    case 'ArrowUp':
      return { do: 'step', by: -places };
    case 'Home':
      return { do: 'step', by: -far };
    case 'End':
      return { do: 'step', by: far };
    case '+':
    case '=':
      return { do: 'zoom', by: 1 / zoomStep };
    case '-':
    case '_':
      return { do: 'zoom', by: zoomStep };
    case 'PageDown':
      return { do: 'pan', by: 0.5 };
    case 'PageUp':
      return { do: 'pan', by: -0.5 };
    case 'Enter':
      return { do: 'select' };
    case '0':
      return { do: 'reset' };
    default:
      return null;
  }
}

/** The range after a step: around the cursor, or else the middle. Null: everything. */
export function zoomedBy(
  { part }: Drawn,
  { extent, choice, lines }: Content,
  { do: what, by }: { readonly do: 'step' | 'pan' | 'zoom'; readonly by: number },
  cursor: number | null,
): Part | null {
  if (!extent) return null;
  const log = part.log;
  const middle = middleOf(part.x, log?.x);
  const inView = cursor !== null && cursor >= part.x.from && cursor <= part.x.to ? cursor : middle;
  const whole = logExtent(extent, lines, log);
  const wanted = what === 'pan' ? moved(part.x, by, log?.x) : zoomed(part.x, by, inView, log?.x);
  const x = within(wanted, whole.x);
  const all = x.from <= whole.x.from && x.to >= whole.x.to;
  if (choice.kind !== 'scatter' || !part.y) return all ? null : { x };
  const y = what === 'pan' ? part.y : zoomed(part.y, by, middleOf(part.y, log?.y), log?.y);
  return all ? null : { x, y };
}
