import { moved, within, zoomed } from '../../ui/plot/nearest.ts';
import type { Part } from './extent.ts';
import type { Content, Drawn } from './scene.ts';

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
  { extent, choice }: Content,
  { do: what, by }: { readonly do: 'step' | 'pan' | 'zoom'; readonly by: number },
  cursor: number | null,
): Part | null {
  if (!extent) return null;
  const middle = (part.x.from + part.x.to) / 2;
  const inView = cursor !== null && cursor >= part.x.from && cursor <= part.x.to ? cursor : middle;
  const x = within(what === 'pan' ? moved(part.x, by) : zoomed(part.x, by, inView), extent.x);
  const all = x.from <= extent.x.from && x.to >= extent.x.to;
  if (choice.kind !== 'scatter' || !part.y) return all ? null : { x };
  const y = what === 'pan' ? part.y : zoomed(part.y, by, (part.y.from + part.y.to) / 2);
  return all ? null : { x, y };
}
