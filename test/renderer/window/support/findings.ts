import axe from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// Without the markup of each element that is checked.
axe.configure({ noHtml: true });

/**
 * What axe reports about the structure of the window, one line each. Layout (contrast, sizes, scrolling) is checked
 * in a browser, once for each screen.
 * @param besides names rules that do not apply here
 */
export async function findings(...besides: string[]): Promise<string[]> {
  const off = ['color-contrast', 'target-size', 'scrollable-region-focusable', ...besides];
  const { violations } = await axe.run(
    {
      include: [['body']],
      exclude: [['[data-live-announcer]'], ['[data-overlay-container]:has(> [role=tooltip])']],
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
    nodes.map(({ element }) => `${id}: ${element?.outerHTML.slice(0, 300)}`),
  );
}
