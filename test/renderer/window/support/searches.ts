import { createRequire } from 'node:module';

// Waits search the whole window again and again, mostly when nothing in it has changed: what a search computes of an element
// stays until its document changes. Elements outside a document aren't watched. Files share this module; each has a
// document of its own.
interface Watch {
  version: number;
  readonly observer: MutationObserver;
}
const watches = new WeakMap<Document, Watch>();

/** Grows with each change of a document. */
function versionOf(document: Document): number {
  const known = watches.get(document);
  if (!known) {
    const watch: Watch = { version: 0, observer: new MutationObserver(() => void watch.version++) };
    watch.observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    watches.set(document, watch);
    return 0;
  }
  // Changes that the observer has not been told of yet.
  if (known.observer.takeRecords().length > 0) known.version += 1;
  return known.version;
}

/** Computes a property of an element, or of a document, again only after a change of its document. */
export function memoize<Of extends Node, T>(compute: (of: Of) => T): (of: Of) => T {
  const results = new WeakMap<Of, { readonly version: number; readonly result: T }>();
  return (of) => {
    if (!of.isConnected) return compute(of);
    const version = versionOf(of.ownerDocument ?? document);
    const known = results.get(of);
    if (known?.version === version) return known.result;
    const result = compute(of);
    results.set(of, { version, result });
    return result;
  };
}

const searchedSelectors = /^(\*|\*\[role~=.*)$/;

/** `querySelectorAll`, which remembers what searches by role and by text look for. */
export function rememberedSearches(search: (of: Element, selectors: string) => NodeListOf<Element>) {
  const searches = new Map<string, (of: Element) => NodeListOf<Element>>();
  return (of: Element, selectors: string): NodeListOf<Element> => {
    if (!searchedSelectors.test(selectors)) return search(of, selectors);
    const remembered = searches.get(selectors) ?? memoize((of: Element) => search(of, selectors));
    searches.set(selectors, remembered);
    return remembered(of);
  };
}

const load = createRequire(import.meta.url);
interface SearchModules {
  texts: { getNodeText: (of: HTMLElement) => string };
  roles: {
    isInaccessible: (of: Element, options: { isSubtreeInaccessible: (of: Element) => boolean }) => boolean;
    isSubtreeInaccessible: (of: Element) => boolean;
    getImplicitAriaRoles: (of: Element) => string[];
  };
  names: { computeAccessibleName: (of: Element, options?: object) => string };
}
const { texts, roles, names }: SearchModules = {
  texts: load('@testing-library/dom/dist/get-node-text.js'),
  roles: load('@testing-library/dom/dist/role-helpers.js'),
  names: load('dom-accessibility-api'),
};
const { isInaccessible, isSubtreeInaccessible, getImplicitAriaRoles } = roles;
const { computeAccessibleName } = names;
/** As that of the library, which makes a list of all children for each element. */
function textOf(of: HTMLElement): string {
  if (of instanceof HTMLInputElement && ['submit', 'button', 'reset'].includes(of.type)) return of.value;
  let text = '';
  for (let child = of.firstChild; child; child = child.nextSibling)
    if (child instanceof Text) text += child.data;
  return text;
}
texts.getNodeText = memoize(textOf);
roles.isSubtreeInaccessible = memoize(isSubtreeInaccessible);
roles.isInaccessible = memoize((of) => isInaccessible(of, roles));
roles.getImplicitAriaRoles = memoize(getImplicitAriaRoles);
/** The properties that decide what is part of a name, which each element around it asks for again. */
const styleOf = memoize((of: Element) => {
  const style = getComputedStyle(of);
  const values = new Map<string, string>();
  return {
    getPropertyValue(property: string): string {
      const value = values.get(property) ?? style.getPropertyValue(property);
      values.set(property, value);
      return value;
    },
  };
});
names.computeAccessibleName = memoize((of) => computeAccessibleName(of, { getComputedStyle: styleOf }));
