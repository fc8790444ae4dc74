import { contents, type HelpPlace } from './help.ts';

/** A page and a heading on it, as parts of the window name them: `ask.md#Share and repeat`. */
function placeOf(text: string): HelpPlace {
  const [page = '', heading = null] = text.split('#');
  return { page, heading };
}

/** The page about the part of the window that has the focus, otherwise about the tab in view. */
export function helpHere(): HelpPlace {
  const { activeElement } = document;
  const focused = activeElement === document.body ? null : activeElement?.closest<HTMLElement>('[data-help]');
  const isPart = focused && !focused.matches('.window-work');
  const inTab = document.querySelector<HTMLElement>('.tab-panel:not([data-inert]) [data-help]');
  const marked = isPart ? focused : (inTab ?? document.querySelector<HTMLElement>('[data-help]'));
  const text = marked?.dataset['help'];
  return text === undefined ? contents : placeOf(text);
}
