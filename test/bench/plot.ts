// A million points drawn and zoomed, compared with bare uPlot with the same numbers, in turns on one page of
// Chromium: `node test/bench/plot.ts`. Ours is the time that a user waits: from the records' numbers, which come from
// another thread, through sorting and downsampling to the drawn frame. The floor has its numbers already.
import type { Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { measureInTurns, printFigure } from './support/figures.ts';
import { openBrowser, serveBare } from './support/browser.ts';

const points = 1_000_000;
const rounds = 7;

const page = String.raw`
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import '/styles/tokens.css';
import '/features/plot/plot.css';
import Chart from '/ui/plot/chart.tsx';
import { chartsOf, seriesOf } from '/features/plot/drawing.ts';
import { createScene } from '/features/plot/scene.ts';
import { thinner } from '/features/plot/thinner.ts';

const n = ${points};
const x = Float64Array.from({ length: n }, (_, at) => 1_700_000_000_000 + at * 1000);
let seed = 1;
const noise = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const y = Float64Array.from(x, (_, at) => Math.sin(at / 20_000) * 50 + noise() * 20);
const source = { rows: n, part: null, fields: [{ id: 't', kind: 'time' }, { id: 'a', kind: 'number' }],
  numbers: async () => own, groups: async () => ({ codes: new Uint16Array(n), names: [['1']] }) };
// As the records' thread hands them over: arrays of their own.
let own = [];
const choice = { kind: 'lines', x: 't', y: ['a'], align: 'recorded' };
const names = { unitOf: () => undefined, wellName: () => undefined };
const options = { along: { show: 'time', zone: 'utc' }, label: 't', names };
const size = { width: 1200, height: 500 };
const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
let longest = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) longest = Math.max(longest, entry.duration); }).observe({ entryTypes: ['longtask'] });

const place = document.getElementById('place');
function ours() {
  const root = createRoot(place);
  const scene = createScene(thinner);
  const drawn = (want) => new Promise((done) => {
    const stop = scene.store.subscribe(({ drawn: now }) => {
      if (!now || !want(now)) return;
      stop();
      const [spec] = chartsOf(now, seriesOf(now.content, names, 8), options);
      flushSync(() => root.render(h(Chart, { spec, cursor: null, onPoint() {}, onZoom() {}, onResize: scene.actions.resize })));
      done();
    });
  });
  return {
    async draw() {
      scene.actions.resize(1100, 450);
      const seen = drawn(() => true);
      await scene.actions.show(source, choice, []);
      await seen;
      await frame();
    },
    async zoom(from, to) {
      const seen = drawn(({ part }) => part.x.from === from);
      scene.actions.zoom({ x: { from, to } });
      await seen;
      await frame();
    },
    end() { root.unmount(); scene.actions.close(); },
  };
}
function bare() {
  let u;
  return {
    async draw() {
      u = new uPlot({ ...size, ms: 1, legend: { show: false }, series: [{}, { stroke: '#0b62b0' }], cursor: { show: false } }, [x, y], place);
      await frame();
    },
    async zoom(min, max) { u.setScale('x', { min, max }); await frame(); },
    end() { u.destroy(); },
  };
}
const part = [x[n * 0.1], x[n * 0.9]];
window.bench = async (which, what) => {
  own = which === 'ours' ? [x.slice(), y.slice()] : [];
  const plot = which === 'ours' ? ours() : bare();
  // Copying the numbers is the bench's own doing, and long tasks are told of late.
  await new Promise((done) => setTimeout(done, 150));
  longest = 0;
  let began = performance.now();
  await plot.draw();
  if (what === 'zoom') { began = performance.now(); await plot.zoom(...part); }
  const ms = performance.now() - began;
  await new Promise((done) => setTimeout(done, 50));
  plot.end();
  return { ms, longest };
};
window.ready = true;
`;

async function measure(view: Page): Promise<void> {
  const longest: Record<string, number> = { ours: 0, bare: 0 };
  const run = (which: string, what: string) => async () => {
    const found = await view.evaluate<{ ms: number; longest: number }, [string, string]>(
      ([one, other]) =>
        (
          window as unknown as { bench: (a: string, b: string) => Promise<{ ms: number; longest: number }> }
        ).bench(one, other),
      [which, what],
    );
    longest[which] = Math.max(longest[which] ?? 0, found.longest);
    return found.ms;
  };
  // The first run of each loads and compiles.
  for (const which of ['ours', 'bare']) await run(which, 'zoom')();
  longest['ours'] = 0;
  longest['bare'] = 0;
  const drawn = await measureInTurns({ ours: run('ours', 'draw'), bare: run('bare', 'draw') }, rounds);
  const zoomed = await measureInTurns({ ours: run('ours', 'zoom'), bare: run('bare', 'zoom') }, rounds);
  const figure = { unit: 'ms', goal: '≤ 1.2 ×' };
  printFigure({ name: 'plot: a million points drawn', ours: drawn.ours, floor: drawn.bare, ...figure });
  printFigure({ name: 'plot: a million points zoomed', ours: zoomed.ours, floor: zoomed.bare, ...figure });
  printFigure({
    name: 'plot: longest task of the window',
    ours: longest['ours'] ?? 0,
    floor: null,
    unit: 'ms',
    goal: '≤ 50',
  });
}

const bare = await serveBare({
  script: page,
  place: 'width:1200px;height:500px;display:flex',
  plugins: [react()],
});
const browser = await openBrowser();
try {
  const view = await browser.newPage({ viewport: { width: 1300, height: 700 } });
  view.on('pageerror', (error) => console.error(error));
  await view.goto(bare.url);
  await view.waitForFunction('window.ready === true', undefined, { timeout: 60_000 });
  await measure(view);
} finally {
  await browser.close();
  await bare.close();
}
