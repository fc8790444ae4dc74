/**
 * Puts the chunk `early`, the socket to the browser host, before the window's code as a script of its own, and
 * asks for the font at once: both would wait until that code is read and runs.
 */
export const earlyParts = () => ({
  name: 'early-parts',
  transformIndexHtml: {
    order: 'post',
    // Served for development, the page has no bundle.
    handler(_html, { bundle = {} }) {
      const files = Object.values(bundle);
      const early = files.find(({ name }) => name === 'early');
      const font = files.find(({ fileName }) => /inter-latin-wght-normal.*\.woff2$/.test(fileName));
      const parts = [
        early && { tag: 'script', attrs: { type: 'module', crossorigin: true, src: `./${early.fileName}` } },
        font && {
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
            href: `./${font.fileName}`,
          },
        },
      ];
      return parts.flatMap((part) => (part ? [{ ...part, injectTo: 'head-prepend' }] : []));
    },
  },
});
