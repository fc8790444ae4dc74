import { expect, it } from 'vitest';
import { pointing } from '../../../../src/renderer/ui/plot/pointing.ts';

it('a plot no longer moves with a pointer that the system has captured', () => {
  const zooms: unknown[] = [];
  const spec = { shape: 'lines', range: { from: 0, to: 100 }, scales: [], lines: [] };
  const handlers = () => ({ spec, onZoom: (part: unknown) => zooms.push(part), onPoint: () => undefined });
  const over = Object.assign(new EventTarget(), {
    clientWidth: 100,
    clientHeight: 100,
    setPointerCapture: () => undefined,
  });
  const send = (type: string, more: object = {}) =>
    over.dispatchEvent(Object.assign(new Event(type), { clientX: 0, clientY: 0, ...more }));
  for (const hook of pointing(handlers as never).hooks?.init ?? [])
    hook?.({ over } as never, {} as never, []);
  send('pointerdown', { shiftKey: true, button: 0, pointerId: 1 });
  send('pointermove', { clientX: 10 });
  expect(zooms).toHaveLength(1);
  send('pointercancel');
  send('pointermove', { clientX: 20 });
  expect(zooms).toHaveLength(1);
});
