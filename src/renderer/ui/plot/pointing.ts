import type uPlot from 'uplot';
import type { ChartRange, ChartSpec } from './chart-spec.ts';
import type { ChartProps } from './chart.tsx';
import { scaleName } from './draw-lines.ts';
import { moved, zoomed } from './nearest.ts';
import { ends, isReversed } from './options.ts';
import { shareOf } from './placing.ts';

/** The position of the pointer or the keyboard. */
export interface Pointed {
  readonly along: number;
  /** Index of the dot in a scatter plot. */
  readonly dot?: { readonly line: number; readonly at: number };
}

const wheelStep = 1.25;
const reach = 24;
/** Shorter moves are clicks, in pixels. */
const dragDistance = 4;

/** What the pointer does on a chart: a drag zooms, the wheel zooms, either with Shift moves, a double click resets. */
export function pointing(props: () => ChartProps): Pick<uPlot.Options, 'cursor' | 'hooks'> {
  let pressedAt = { x: 0, y: 0 };
  /** Whether a click didn't end a drag. */
  const isPress = ({ clientX: x, clientY: y, shiftKey }: MouseEvent): boolean =>
    !shiftKey && Math.hypot(x - pressedAt.x, y - pressedAt.y) < dragDistance;

  return {
    cursor: {
      x: false,
      y: false,
      points: { show: false },
      // The library's x is the axis of the records, also where it runs down.
      drag: { x: true, y: isScatter(props().spec), setScale: false, dist: dragDistance },
      bind: {
        mousedown: (_u, _target, handler) => (event) => {
          if (!event.shiftKey && event.button === 0) handler(event);
          return null;
        },
        dblclick: () => () => {
          props().onZoom(null);
          return null;
        },
      },
    },
    hooks: {
      init: [
        (u) => {
          u.over.addEventListener('wheel', (event) => onWheel(props(), u, event), { passive: false });
          u.over.addEventListener('pointerdown', (event) => {
            pressedAt = { x: event.clientX, y: event.clientY };
            onPress(props, u, event);
          });
          u.over.addEventListener('click', (event) => {
            const at = isPress(event) ? pointedAt(u, props().spec, event) : null;
            if (at) props().onSelect(at);
          });
          u.over.addEventListener('mouseleave', () => props().onPoint(null));
          u.over.addEventListener('mousemove', (event) => {
            if (event.target === u.over) props().onPoint(pointedAt(u, props().spec, event));
          });
        },
      ],
      setSelect: [
        (u) => {
          const { left, top, width, height } = u.select;
          if (width <= 0 && height <= 0) return;
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          const { spec, onZoom } = props();
          const along = isDown(spec)
            ? between(u, 'x', top, top + height)
            : between(u, 'x', left, left + width);
          onZoom(part(along, isScatter(spec) ? between(u, scaleName(0), top, top + height) : undefined));
        },
      ],
    },
  };
}

const isScatter = ({ shape }: ChartSpec): boolean => shape === 'dots';
const isDown = ({ shape }: ChartSpec): boolean => shape === 'track';

function onWheel({ spec, onZoom }: ChartProps, u: uPlot, event: WheelEvent): void {
  event.preventDefault();
  const { scales, range, isLog } = spec;
  const y = upwardsOf(spec);
  const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
    onZoom(part(moved(range, Math.sign(sideways) * 0.1, isLog), y));
    return;
  }
  const by = event.deltaY > 0 ? wheelStep : 1 / wheelStep;
  const x = zoomed(range, by, u.posToVal(isDown(spec) ? event.offsetY : event.offsetX, 'x'), isLog);
  onZoom(part(x, y && zoomed(y, by, u.posToVal(event.offsetY, scaleName(0)), scales[0]?.isLog)));
}

/** With Shift or the middle button, the view moves with the pointer. */
function onPress(props: () => ChartProps, u: uPlot, press: PointerEvent): void {
  if (!(press.shiftKey && press.button === 0) && press.button !== 1) return;
  press.preventDefault();
  const { spec } = props();
  const { range, scales, isLog } = spec;
  const y = upwardsOf(spec);
  const upwards = scales[0] && isReversed(scales[0].range) ? -1 : 1;
  const length = isDown(spec) ? u.over.clientHeight : u.over.clientWidth;
  const [x0, y0] = [press.clientX, press.clientY];
  u.over.setPointerCapture(press.pointerId);
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    const x = moved(range, (isDown(spec) ? y0 - clientY : x0 - clientX) / length, isLog);
    const share = (upwards * (clientY - y0)) / u.over.clientHeight;
    props().onZoom(part(x, y && moved(y, share, scales[0]?.isLog)));
  };
  const ended = new AbortController();
  const { signal } = ended;
  u.over.addEventListener('pointermove', onMove, { signal });
  u.over.addEventListener('pointerup', () => ended.abort(), { signal });
  // The system uses the pointer for its own gesture.
  u.over.addEventListener('pointercancel', () => ended.abort(), { signal });
}

const part = (x: ChartRange, y: ChartRange | undefined) => (y ? { x, y } : { x });

/** The values of a scatter plot upwards, whichever end is above; undefined: it is none. */
function upwardsOf({ shape, scales }: ChartSpec): ChartRange | undefined {
  if (shape !== 'dots') return undefined;
  const [from, to] = ends(scales[0]?.range);
  return { from, to };
}

function between(u: uPlot, scale: string, a: number, b: number): ChartRange {
  const [first, last] = [u.posToVal(a, scale), u.posToVal(b, scale)];
  return { from: Math.min(first, last), to: Math.max(first, last) };
}

function pointedAt(u: uPlot, spec: ChartSpec, event: MouseEvent): Pointed | null {
  const along = u.posToVal(spec.shape === 'track' ? event.offsetY : event.offsetX, 'x');
  if (spec.shape !== 'dots') return { along };
  const { clientWidth: width, clientHeight: height } = u.over;
  const share = shareOf({ range: spec.range, isLog: spec.isLog });
  const shareY = shareOf(spec.scales[0] ?? { range: { from: 0, to: 1 } });
  let nearest: Pointed | null = null;
  let minDistance = reach * reach;
  spec.lines.forEach((line, index) => {
    for (let at = 0; at < line.x.length; at += 1) {
      const dx = share(line.x[at] ?? 0) * width - event.offsetX;
      const dy = (1 - shareY(line.y[at] ?? 0)) * height - event.offsetY;
      const distance = dx * dx + dy * dy;
      // NaN has no distance.
      if (!(distance < minDistance)) continue;
      minDistance = distance;
      nearest = { along: line.x[at] ?? 0, dot: { line: index, at } };
    }
  });
  return nearest;
}
