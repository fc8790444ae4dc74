// The page of the benchmark of plots: a million points drawn and zoomed by the window's plot, and by bare uPlot.
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import uPlot from 'uplot';
import type { Drawn } from '../../../src/renderer/features/plot/content.ts';
import { chartsOf, seriesOf } from '../../../src/renderer/features/plot/drawing.ts';
import { createScene } from '../../../src/renderer/features/plot/scene.ts';
import type { PlotSource } from '../../../src/renderer/features/plot/source.ts';
import { thinner } from '../../../src/renderer/features/plot/thinner.ts';
import type { PlotNames } from '../../../src/renderer/features/plot/names.ts';
import Chart from '../../../src/renderer/ui/plot/chart.tsx';
import { statementNames } from '../../../src/shared/channels/plain-names.ts';
import type { PlotChoice } from '../../../src/shared/tabs/plot.ts';

const points = 1_000_000;
const x = Float64Array.from({ length: points }, (_, at) => 1_700_000_000_000 + at * 1000);
let seed = 1;
const noise = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
const y = Float64Array.from(x, (_, at) => Math.sin(at / 20_000) * 50 + noise() * 20);
/** As the records' thread hands them over: new arrays each time. */
let handedOver: Float64Array<ArrayBuffer>[] = [];
const source: PlotSource = {
  rows: points,
  part: null,
  fields: [
    { id: 't', kind: 'time' },
    { id: 'a', kind: 'number' },
  ],
  numbers: async () => handedOver,
  groups: async () => ({ codes: new Uint16Array(points), names: [['1']] }),
};
const choice: PlotChoice = { kind: 'lines', x: 't', y: ['a'], align: 'recorded' };
const names: PlotNames = { field: statementNames, unitOf: () => undefined, wellName: () => undefined };
const options = { along: { show: 'time', zone: 'utc' }, label: 't', names } as const;
const ignore = () => undefined;
const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
let longest = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
}).observe({ entryTypes: ['longtask'] });

const place = document.querySelector<HTMLElement>('#place') ?? document.body;

interface Drawing {
  readonly draw: () => Promise<void>;
  readonly zoom: (from: number, to: number) => Promise<void>;
  readonly end: () => void;
}

function ours(): Drawing {
  const root = createRoot(place);
  const scene = createScene(thinner);
  const drawnWith = (isWanted: (now: Drawn) => boolean) =>
    new Promise<void>((done) => {
      const stop = scene.store.subscribe(({ drawn }) => {
        if (!drawn || !isWanted(drawn)) return;
        stop();
        const [spec] = chartsOf(drawn, seriesOf(drawn.content, names, 8), options);
        if (!spec) throw new Error('nothing is drawn');
        const chart = createElement(Chart, {
          spec,
          cursor: null,
          band: null,
          onPoint: ignore,
          onSelect: ignore,
          onZoom: ignore,
          onResize: scene.actions.resize,
        });
        flushSync(() => root.render(chart));
        done();
      });
    });
  return {
    async draw() {
      scene.actions.resize(1100, 450);
      const seen = drawnWith(() => true);
      await scene.actions.show(source, choice, []);
      await seen;
      await frame();
    },
    async zoom(from, to) {
      const seen = drawnWith(({ part }) => part.x.from === from);
      scene.actions.zoom({ x: { from, to } });
      await seen;
      await frame();
    },
    end() {
      root.unmount();
      scene.actions.close();
    },
  };
}

function bare(): Drawing {
  let chart: uPlot | undefined;
  return {
    async draw() {
      const series = [{}, { stroke: '#0b62b0' }];
      const hidden = { show: false };
      chart = new uPlot(
        { width: 1200, height: 500, ms: 1, legend: hidden, series, cursor: hidden },
        [x, y],
        place,
      );
      await frame();
    },
    async zoom(min, max) {
      chart?.setScale('x', { min, max });
      await frame();
    },
    end: () => chart?.destroy(),
  };
}

async function bench(which: 'ours' | 'bare', action: 'draw' | 'zoom') {
  handedOver = which === 'ours' ? [x.slice(), y.slice()] : [];
  const plot = which === 'ours' ? ours() : bare();
  // Copying the numbers is the benchmark's own work, and long tasks are reported late.
  await new Promise((done) => setTimeout(done, 150));
  longest = 0;
  let began = performance.now();
  await plot.draw();
  if (action === 'zoom') {
    began = performance.now();
    await plot.zoom(x[points * 0.1] ?? 0, x[points * 0.9] ?? 0);
  }
  const ms = performance.now() - began;
  await new Promise((done) => setTimeout(done, 50));
  plot.end();
  return { ms, longest };
}

export type Bench = typeof bench;
Object.assign(window, { bench, ready: true });
