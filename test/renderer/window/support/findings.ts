import axe from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// Without the markup of each element that is checked.
axe.configure({ noHtml: true });

/**
 * What axe reports about the structure of the window, one line each. Layout (contrast, sizes, scrolling) is checked
 * in a browser, once for each screen. While a dialog makes all else inert, only the dialog is checked.
 * @param besides names rules that do not apply here; `region`: an open dialog is outside the landmarks
 */
export async function findings(...besides: string[]): Promise<string[]> {
  // `bypass` is about whole pages.
  const off = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'bypass', ...besides];
  const dialogs = besides.includes('region')
    ? [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')]
    : [];
  const { violations } = await axe.run(
    {
      // From its root, axe searches an index of the tree.
      include: dialogs.length > 0 ? dialogs : ['html'],
      exclude: ['head', '[data-live-announcer]', '[data-overlay-container]:has(> [role=tooltip])'],
    },
    {
      runOnly: tags,
      resultTypes: ['violations'],
      // Neither style sheets nor selectors of what is found are used.
      preload: false,
      selectors: false,
      elementRef: true,
      rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
    },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes
      // What only pages have isn't checked: a title, a language.
      .filter(({ element }) => element !== document.documentElement)
      .map(({ element }) => `${id}: ${element?.outerHTML.slice(0, 300)}`),
  );
}
