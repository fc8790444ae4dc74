import type { Locator, Page } from '@playwright/test';
import { attempt, median, printFigure } from './figures.ts';

type Input = 'pointerdown' | 'pointerup' | 'pointermove' | 'contextmenu' | 'dblclick' | 'keydown' | 'wheel';
/** A key, an element to press, or work. */
export type Step = string | Locator | (() => Promise<unknown>);

/** The sign that an effect is in view, as an expression that runs in the page: false before the input. */
interface Effect {
  readonly shown: string;
  /** An expression whose value before the input is `was` in the other one. */
  readonly before: string;
}

/** Something a person does in a window. */
export interface Action {
  readonly name: string;
  /** The type of the input event that causes the effect. */
  readonly input: Input;
  readonly act: Step;
  readonly effect: Effect;
  /** Bring the window into the state before it; not measured. */
  readonly prepare: readonly Step[];
  /** Remove the effect; not measured. */
  readonly undo: readonly Step[];
}

/** Makes actions of an input. */
export const by =
  (input: Input) =>
  (
    name: string,
    act: Step,
    effect: Effect | string,
    prepare: readonly Step[] = [],
    undo: readonly Step[] = [],
  ): Action => {
    const sign = typeof effect === 'string' ? { shown: effect, before: 'null' } : effect;
    return { name, input, act, effect: sign, prepare, undo };
  };

/** Expressions for a page: the first element in view with a part of its text, its text, and the number in view. */
export const seen = (selector: string, part = '') =>
  `seen(${JSON.stringify(selector)}, ${JSON.stringify(part)})`;
export const textOf = (selector: string) => `textOf(${JSON.stringify(selector)})`;
export const amount = (selector: string) => `amount(${JSON.stringify(selector)})`;

/** The value of an expression is another one than before, and what else has to be true. */
export const changed = (expression: string, also = 'true'): Effect => ({
  before: expression,
  shown: `JSON.stringify(${expression}) !== JSON.stringify(was) && ${also}`,
});

/** Milliseconds from an input to the end of the frame with its effect, and the longest task meanwhile above 50 ms. */
interface Reaction {
  readonly ms: number;
  readonly taskMs: number;
}

/** How long a window may work after an action before the next one, in milliseconds. */
const restMs = 120;
const timeoutMs = 20_000;

/**
 * Provides a page with the functions that measure: `watch` waits for an input and its effect, and `reaction` is the
 * outcome.
 */
export const watchReactions = (page: Page): Promise<void> => page.evaluate(installWatch, timeoutMs);

function installWatch(limitMs: number): void {
  const tasks: { readonly from: number; readonly ms: number }[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) tasks.push({ from: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });
  /** Lists keep the row with the focus, and some rows around those in view. */
  const isVisible = (element: Element): boolean => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const list = element.closest('.ag-row, .pick') && element.closest('.ag-grid-viewport, .picks');
    if (!list) return true;
    const [{ top, bottom }, place] = [list.getBoundingClientRect(), element.getBoundingClientRect()];
    const middle = (place.top + place.bottom) / 2;
    return middle > top && middle < bottom;
  };
  /** The first visible element, with a text if one is named. */
  const seen = (selector: string, text = ''): Element | undefined =>
    [...document.querySelectorAll(selector)].find(
      (element) => isVisible(element) && element.textContent.includes(text),
    );
  const textOf = (selector: string): string | undefined => seen(selector)?.textContent;
  const amount = (selector: string): number =>
    [...document.querySelectorAll(selector)].filter(isVisible).length;
  /** Whether a line crosses the middle of a canvas: it has a color besides grays, which are axes. */
  const hasInk = (selector: string): boolean => {
    const canvas = seen(selector);
    const context = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null;
    if (!context) return false;
    const { width, height } = context.canvas;
    const { data } = context.getImageData(width / 2, 0, 4, height);
    for (let at = 0; at < data.length; at += 4) {
      const color = data.subarray(at, at + 3);
      if (color.some((one) => Math.abs(one - (color[0] ?? 0)) > 40)) return true;
    }
    return false;
  };
  let outcome: Promise<Reaction> = Promise.reject(new Error('Nothing is watched'));
  outcome.catch(() => undefined);
  let from = 0;
  const watch = (type: string, before: () => unknown, isShown: (was: unknown) => unknown): void => {
    const was = before();
    if (isShown(was)) throw new Error('Its effect was in view before the input');
    outcome = new Promise<Reaction>((resolve, reject) => {
      let hasInput = false;
      const timer = setTimeout(() => {
        removeEventListener(type, start, true);
        reject(new Error(hasInput ? `Its effect wasn’t in view after ${limitMs} ms` : `No ${type} arrived`));
      }, limitMs);
      const end = () => {
        clearTimeout(timer);
        resolve({ ms: performance.now() - from, taskMs: 0 });
      };
      const look = () => {
        if (!isShown(was)) return void requestAnimationFrame(look);
        // A message arrives after the frame.
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', end, { once: true });
        port1.start();
        port2.postMessage(null);
      };
      const start = (event: Event) => {
        // A shortcut begins with the keys that are held.
        if (event instanceof KeyboardEvent && /^(?:Control|Shift|Alt|Meta)$/.test(event.key)) return;
        removeEventListener(type, start, true);
        hasInput = true;
        from = event.timeStamp;
        // Shortcuts have a listener before this one, and a list scrolls before its wheel event.
        if (type.startsWith('pointer') && isShown(was)) {
          clearTimeout(timer);
          reject(new Error(`Its effect was in view before the ${type}`));
        } else requestAnimationFrame(look);
      };
      addEventListener(type, start, true);
    });
    // Read later.
    outcome.catch(() => undefined);
  };
  const reaction = async (waitMs: number): Promise<Reaction> => {
    const { ms } = await outcome;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const since = tasks.splice(0).filter((task) => task.from + task.ms > from);
    return { ms, taskMs: since.reduce((most, task) => Math.max(most, task.ms), 0) };
  };
  Object.assign(globalThis, { seen, textOf, amount, hasInk, watch, reaction });
}

/** Takes a step: a key is pressed, and so is an element with the primary button. */
async function take(page: Page, step: Step): Promise<void> {
  if (typeof step === 'string') return page.keyboard.press(step);
  if (typeof step === 'function') return void (await step());
  await step.hover();
  await page.mouse.down();
  await page.mouse.up();
}

/** Waits until an expression is true in a page. */
export async function until(page: Page, expression: string): Promise<void> {
  for (const end = performance.now() + timeoutMs; performance.now() < end;) {
    if (await page.evaluate<boolean>(`Boolean(${expression})`)) return;
    await page.waitForTimeout(30);
  }
  throw new Error(`Not true after ${timeoutMs} ms: ${expression}`);
}

async function react(page: Page, { input, act, effect, prepare, undo }: Action): Promise<Reaction> {
  for (const step of prepare) await take(page, step);
  await page.waitForTimeout(restMs);
  const { before, shown } = effect;
  await page.evaluate(`watch(${JSON.stringify(input)}, () => ${before}, (was) => ${shown})`);
  await take(page, act);
  const reaction = await page.evaluate<Reaction>(`reaction(${restMs})`);
  for (const step of undo) await take(page, step);
  return reaction;
}

/** After a failure: removes what its action may have left, for those after it. */
async function recover(page: Page, { undo }: Action): Promise<void> {
  try {
    for (const step of undo) await take(page, step);
  } catch {
    // It was not there.
  }
  for (let at = 0; at < 3; at += 1) await page.keyboard.press('Escape');
  await page.mouse.up();
}

/** The second largest of many values, the largest of few. */
const highOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => b - a)[values.length > 10 ? 1 : 0] ?? NaN;

/** Carries out an action several times, after a first time, which may load and compile. */
export async function measureReactions(page: Page, action: Action, times: number) {
  const first = await react(page, action);
  const reactions: Reaction[] = [];
  while (reactions.length < times) reactions.push(await react(page, action));
  const taken = reactions.map(({ ms }) => ms);
  return {
    first: first.ms,
    high: highOf(taken),
    median: median(taken),
    longestTask: reactions.reduce((most, { taskMs }) => Math.max(most, taskMs), 0),
  };
}

/** Prints the figures of an action, or that it couldn't be carried out. @param floor those of an empty frame */
export function printReactions(page: Page, action: Action, times: number, floor: number): Promise<void> {
  const name = `action: ${action.name} (p95)`;
  return attempt(name, async () => {
    try {
      const { high, ...facts } = await measureReactions(page, action, times);
      printFigure({ name, ours: high, floor, unit: 'ms', goal: '≤ 50 ms', facts });
    } catch (error) {
      await recover(page, action);
      throw error;
    }
  });
}
