// A million points drawn and zoomed, compared with bare uPlot with the same numbers, in turns on one page of
// Chromium: `node test/bench/plot.ts`. Ours is the time that a user waits: from the records' numbers, which come from
// another thread, through sorting and downsampling to the drawn frame. The floor has its numbers already.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { measureInTurns, printFigure } from './support/figures.ts';
import type { Bench } from './pages/plot.ts';
import { failsOnErrors, openBrowser, serveBare } from './support/browser.ts';

const rounds = 7;

async function measure(view: Page): Promise<void> {
  const longest: Record<string, number> = { ours: 0, bare: 0 };
  const run = (which: 'ours' | 'bare', action: 'draw' | 'zoom') => async () => {
    const measured = await view.evaluate(
      ([name, act]) => (window as unknown as { readonly bench: Bench }).bench(name, act),
      [which, action] as const,
    );
    longest[which] = Math.max(longest[which] ?? 0, measured.longest);
    return measured.ms;
  };
  // The first run of each loads and compiles.
  for (const which of ['ours', 'bare'] as const) await run(which, 'zoom')();
  longest['ours'] = 0;
  longest['bare'] = 0;
  const drawn = await measureInTurns({ ours: run('ours', 'draw'), bare: run('bare', 'draw') }, rounds);
  const zoomed = await measureInTurns({ ours: run('ours', 'zoom'), bare: run('bare', 'zoom') }, rounds);
  const figure = { unit: 'ms', goal: '≤ 1.3 ×' };
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
  script: `
import 'uplot/dist/uPlot.min.css';
import '/styles/tokens.css';

import ${JSON.stringify(join(import.meta.dirname, 'pages', 'plot.ts'))};`,
  place: 'width:1200px;height:500px;display:grid',
  plugins: [react()],
});
const browser = await openBrowser();
try {
  const view = await browser.newPage({ viewport: { width: 1300, height: 700 } });
  await view.goto(bare.url);
  await view.waitForFunction('window.ready === true', undefined, { timeout: 60_000 });
  await failsOnErrors(view, () => measure(view));
} finally {
  await browser.close();
  await bare.close();
}
