import '@testing-library/jest-dom/vitest';
import { configure } from '@testing-library/dom';
import { ThreadHere } from './threads.ts';

// What the window needs of a browser and jsdom has not. There is no layout: everything is as large as a small screen.
const size = { width: 1360, height: 860 };

Object.assign(globalThis, {
  Worker: ThreadHere,
  scheduler: { yield: () => new Promise((resolve) => setTimeout(resolve)) },
  requestIdleCallback: (act: () => void) => setTimeout(act),
  cancelIdleCallback: clearTimeout,
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  ResizeObserver: class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
  IntersectionObserver: class {
    readonly #seen: (entries: readonly { isIntersecting: boolean; target: Element }[]) => void;
    constructor(seen: (entries: readonly { isIntersecting: boolean; target: Element }[]) => void) {
      this.#seen = seen;
    }
    observe = (target: Element) => this.#seen([{ isIntersecting: true, target }]);
    unobserve = () => undefined;
    disconnect = () => undefined;
  },
});

const box = new DOMRect(0, 0, size.width, size.height);
// Dividers are elsewhere: they take each press that falls on them.
const away = new DOMRect(-100, -100, 0, 0);
for (const [side, pixels] of Object.entries({ Width: size.width, Height: size.height }))
  for (const kind of ['client', 'offset'])
    Object.defineProperty(HTMLElement.prototype, `${kind}${side}`, { configurable: true, value: pixels });
Object.assign(HTMLElement.prototype, {
  getBoundingClientRect(this: HTMLElement) {
    return this.role === 'separator' ? away : box;
  },
  scrollIntoView: () => undefined,
  scrollTo: () => undefined,
  getAnimations: () => [],
});
Object.assign(document, { elementFromPoint: () => null });

configure({
  // Whether something can be seen is up to layout; what is inert or hidden is looked at where a test is about it.
  defaultHidden: false,
  asyncUtilTimeout: 15_000,
  // All of the window as markup helps nobody, and takes long to print.
  getElementError(message, place) {
    const [first] = (message ?? '').split('\n');
    return new Error(`${first}\n${place.textContent}`);
  },
});
