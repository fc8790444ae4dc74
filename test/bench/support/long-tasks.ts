import type { Browser, Page } from '@playwright/test';
import * as z from 'zod';

const traced = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.object({ name: z.unknown() }).partial().optional(),
    }),
  ),
});

/**
 * The longest task of a page's thread during some work, in milliseconds of that thread's own time: waiting for a
 * CPU is excluded.
 */
export async function maxOwnTaskMs(
  browser: Browser,
  page: Page,
  act: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] });
  await act();
  await page.waitForTimeout(300);
  const { traceEvents } = traced.parse(JSON.parse((await browser.stopTracing()).toString()));
  const place = ({ pid, tid }: { pid: number; tid: number }) => `${pid} ${tid}`;
  const windows = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(place),
  );
  const own = traceEvents.flatMap((event) =>
    event.tdur !== undefined && windows.has(place(event)) ? [event.tdur / 1000] : [],
  );
  return own.reduce((most, ms) => Math.max(most, ms), 0);
}

/**
 * Records the tasks of a page that blocked its thread for more than 50 ms; to be called before the page is
 * opened.
 */
export async function watchLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** The longest of them since the last call, in milliseconds; 0: there was none. */
export async function maxTaskMs(page: Page): Promise<number> {
  // They are reported in a separate task.
  await page.waitForTimeout(300);
  return page.evaluate(() => {
    const { longTasks } = globalThis as unknown as { longTasks: number[] };
    return Math.max(0, ...longTasks.splice(0));
  });
}
