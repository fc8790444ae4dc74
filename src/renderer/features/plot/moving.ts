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

const keySteps: Readonly<Record<string, KeyStep>> = {
  ArrowRight: { do: 'step', by: 1 },
  ArrowDown: { do: 'step', by: 1 },
  ArrowLeft: { do: 'step', by: -1 },
  ArrowUp: { do: 'step', by: -1 },
  Home: { do: 'step', by: -far },
  End: { do: 'step', by: far },
  '+': { do: 'zoom', by: 1 / zoomStep },
  '=': { do: 'zoom', by: 1 / zoomStep },
  '-': { do: 'zoom', by: zoomStep },
  _: { do: 'zoom', by: zoomStep },
  PageDown: { do: 'pan', by: 0.5 },
  PageUp: { do: 'pan', by: -0.5 },
  Enter: { do: 'select' },
  '0': { do: 'reset' },
};

type PressedKey = Pick<KeyboardEvent, 'key'> &
  Partial<Pick<KeyboardEvent, 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>>;

/** @returns null for a key without an effect, or for one of the window, such as of its zoom */
export function keyStep({ key, shiftKey, ctrlKey, metaKey, altKey }: PressedKey): KeyStep | null {
  const step = ctrlKey || metaKey || altKey ? undefined : keySteps[key];
  return step?.do === 'step' && shiftKey ? { do: 'step', by: step.by * 10 } : (step ?? null);
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
