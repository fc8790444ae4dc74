import { words } from '../../../src/renderer/words/words.ts';
import type { AppWindow } from '../../e2e/support/app.ts';

/** Rows that are drawn and not loaded yet. */
const stillEmpty = `[...document.querySelectorAll('.results-answer .ag-row')].filter((row) => row.querySelector('.cell-loading, .cell-failed')).length`;

/** Milliseconds until every row in view has its texts, from the frame in which the grid was scrolled. */
const waitUntilFull = `(scroll) => new Promise((done) => {
  const before = performance.now();
  scroll(document.querySelector('.results-answer .ag-grid-viewport'));
  const look = () => {
    const ms = performance.now() - before;
    if (ms > 50 && ((${stillEmpty}) === 0 || ms > 20_000)) done(ms > 20_000 ? -1 : ms);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
})`;

/** Runs the query and loads all matching records, until the first of them are drawn. */
export async function showAll(app: AppWindow, records: number): Promise<void> {
  const drawn = () => app.answer.getByRole('gridcell').first().waitFor();
  await app.button(words.query.run).click();
  await drawn();
  await app.button(words.results.showAll).click();
  await app.answer
    .getByRole('status')
    .filter({ hasText: words.results.records(records) })
    .waitFor();
  await drawn();
}

/**
 * Scrolls the grid of a result. Each returns the milliseconds until the rows in view are loaded; -1: not within
 * 20 s.
 */
export function scrollerOf({ page }: AppWindow) {
  const scrolled = (scroll: string) => page.evaluate<number>(`(${waitUntilFull})(${scroll})`);
  return {
    /** To a share of all rows, from 0 to 1. */
    jumpTo: (share: number) => scrolled(`(at) => { at.scrollTop = at.scrollHeight * ${share}; }`),
    pageDown: () => scrolled('(at) => { at.scrollTop += at.clientHeight; }'),
  };
}
