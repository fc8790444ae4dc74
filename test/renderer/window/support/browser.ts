import { setFlagsFromString } from 'node:v8';
import '@testing-library/jest-dom/vitest';
import { configure, getConfig } from '@testing-library/dom';
import { afterEach, vi } from 'vitest';
import { closeAll } from './cleanups.ts';
import { rememberedSearches, memoize } from './searches.ts';
import { InProcessThread } from './threads.ts';

// The window's own thread has its large young generation by now. A thread of the application with one as large would count
// as too large to be kept for its next use, and be started for each file.
setFlagsFromString('--min-semi-space-size=1');
setFlagsFromString('--max-semi-space-size=8');

// Here, because this runs for each file; a module that files share registers its hooks only for the first of them.
afterEach(async ({ task }) => {
  // For the report of `npm test`, which names it.
  if (task.result?.retryCount) Object.assign(task.meta, { isRetried: true });
  try {
    await closeAll();
  } finally {
    vi.restoreAllMocks();
    document.body.replaceChildren();
    sessionStorage.clear();
    localStorage.clear();
    delete document.documentElement.dataset['theme'];
  }
});

// Browser features that the window needs and jsdom lacks. There is no layout: every element has the size of a small
// screen.
const size = { width: 1360, height: 500 };

type CopiedPart = Blob | string | PromiseLike<Blob | string>;

/** What is copied, by type. */
class CopiedItem {
  readonly #parts: Readonly<Record<string, CopiedPart>>;
  readonly types: readonly string[];
  constructor(parts: Readonly<Record<string, CopiedPart>>) {
    this.#parts = parts;
    this.types = Object.keys(parts);
  }
  async getType(type: string): Promise<Blob> {
    return new Blob([(await this.#parts[type]) ?? ''], { type });
  }
}

interface Sized {
  readonly target: Element;
  readonly borderBoxSize: readonly { readonly inlineSize: number; readonly blockSize: number }[];
}

/** A panel has the share of its group that its style sets; a change of it is reported. */
class SizesByFlex {
  readonly #tell: (sizes: readonly Sized[]) => void;
  readonly #shares = new Map<Element, number>();
  readonly #styles = new MutationObserver((changes) => {
    for (const { target } of changes) if (target instanceof Element) this.#look(target);
  });
  constructor(tell: (sizes: readonly Sized[]) => void) {
    this.#tell = tell;
  }
  observe(target: Element) {
    setTimeout(() => this.#look(target));
    this.#styles.observe(target, { attributes: true, attributeFilter: ['style'] });
  }
  unobserve() {}
  disconnect() {
    this.#styles.disconnect();
  }
  #look(target: Element) {
    const grow = target instanceof HTMLElement ? Number(target.style.flexGrow) : 0;
    const share = grow === 0 ? 1 : grow / 100;
    if (this.#shares.get(target) === share) return;
    this.#shares.set(target, share);
    const borderBoxSize = [{ inlineSize: size.width * share, blockSize: size.height * share }];
    this.#tell([{ target, borderBoxSize }]);
  }
}

Object.assign(globalThis, {
  Worker: InProcessThread,
  ClipboardItem: CopiedItem,
  scheduler: { yield: () => new Promise((resolve) => setTimeout(resolve)) },
  requestIdleCallback: (act: () => void) => setTimeout(act),
  cancelIdleCallback: clearTimeout,
  matchMedia: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
  ResizeObserver: SizesByFlex,
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
// Dividers are placed outside: they capture each press on them.
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

// Downloads leave the page unchanged; jsdom would navigate to their address.
Object.assign(HTMLAnchorElement.prototype, {
  click(this: HTMLAnchorElement) {
    if (this.download === '') HTMLElement.prototype.click.call(this);
  },
});

// Only keys show a focus ring, not the pointer; jsdom always shows it.
let isByKeys = true;
addEventListener('keydown', () => (isByKeys = true), true);
for (const event of ['mousedown', 'pointerdown']) addEventListener(event, () => (isByKeys = false), true);
const { matches } = Element.prototype;
// Searches of texts ask each element of the window whether it is a script, or a button that is an input.
const tagsOf = (selectors: string): readonly string[] | null => {
  const tags = selectors.split(', ').map((part) => /^[a-z]+(?=\[|$)/.exec(part)?.[0] ?? '');
  return tags.includes('') ? null : tags;
};
const knownTags = new Map<string, readonly string[] | null>();
Object.assign(Element.prototype, {
  matches(this: Element, selectors: string) {
    if (selectors === ':focus-visible') return isByKeys && this === document.activeElement;
    const tags = knownTags.get(selectors) ?? tagsOf(selectors);
    knownTags.set(selectors, tags);
    return tags?.includes(this.localName) !== false && matches.call(this, selectors);
  },
});

const { querySelectorAll: allInElement } = Element.prototype;
const { querySelectorAll: allInDocument } = Document.prototype;
const all = rememberedSearches((of, selectors) => allInElement.call(of, selectors));
const withId = memoize((of: Document) => Map.groupBy(allInDocument.call(of, '[id]'), ({ id }) => id));
const ofOneId = /^\[id="([^"\\]+)"\]$/;
Object.assign(Element.prototype, {
  querySelectorAll(this: Element, selectors: string) {
    return all(this, selectors);
  },
});
Object.assign(Document.prototype, {
  querySelectorAll(this: Document, selectors: string) {
    const id = ofOneId.exec(selectors)?.[1];
    return id === undefined ? allInDocument.call(this, selectors) : (withId(this).get(id) ?? []);
  },
});

// A wait of a test looks once after a burst of changes, not after each of them. Observers of the window are as usual.
const { MutationObserver } = globalThis;
class PatientObserver extends MutationObserver {
  readonly #stop: () => void;
  constructor(tell: MutationCallback) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    super((changes, observer) => {
      timer ??= setTimeout(() => {
        timer = undefined;
        tell(changes, observer);
      }, 15);
    });
    this.#stop = () => clearTimeout(timer);
  }
  override disconnect() {
    this.#stop();
    super.disconnect();
  }
}
Object.assign(globalThis, { MutationObserver });
Object.assign(document.defaultView ?? {}, { MutationObserver: PatientObserver });

// React sets the name of a field each time that it draws it, and its state is read then: jsdom looks at all fields of the
// page for either.
const { name, validity } = Object.getOwnPropertyDescriptors(HTMLInputElement.prototype);
const freeChoice = Object.assign(document.createElement('input'), { type: 'radio' }).validity;
Object.defineProperties(HTMLInputElement.prototype, {
  name: {
    ...name,
    set(this: HTMLInputElement, value: string) {
      if (this.name !== value) name.set?.call(this, value);
    },
  },
  validity: {
    ...validity,
    get(this: HTMLInputElement) {
      return this.type === 'radio' && !this.required ? freeChoice : validity.get?.call(this);
    },
  },
});

configure({
  // Visibility depends on layout; tests that are about inert or hidden elements check those.
  defaultHidden: false,
  asyncUtilTimeout: 15_000,
  // The markup of the whole window is too long to be useful, and slow to print.
  getElementError(message, place) {
    const [first] = (message ?? '').split('\n');
    return new Error(`${first}\n${place.textContent}`);
  },
});

// Without a list of all roles in the message of each attempt, which takes longer than the attempt.
Object.defineProperty(getConfig(), '_disableExpensiveErrorDiagnostics', { get: () => true, set() {} });
