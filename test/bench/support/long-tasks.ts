import type { Page } from '@playwright/test';

/** Notes the tasks of a page that held its thread up for more than 50 ms; to be called before the page is opened. */
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
export async function longestTask(page: Page): Promise<number> {
  // They are told in a task of their own.
  await page.waitForTimeout(300);
  return page.evaluate(() => {
    const { longTasks } = globalThis as unknown as { longTasks: number[] };
    return Math.max(0, ...longTasks.splice(0));
  });
}
