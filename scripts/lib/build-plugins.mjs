import { writeFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The layers of the window's stylesheets, later ones win whatever their selectors are. */
export const layers = ['tokens', 'base', 'ui', 'layout', 'features'];

/**
 * The layer of a stylesheet, by its folder.
 * @param path from the sources of the window
 * @returns null: it stands above all layers, because it restyles what libraries draw, or for more contrast
 */
export function layerOf(path) {
  if (/^ui\/(grid|plot|editor)\//.test(path) || path === 'styles/contrast.css') return null;
  if (path === 'styles/tokens.css') return 'tokens';
  if (path === 'styles/base.css') return 'base';
  if (path === 'styles/layout.css') return 'layout';
  return /^(styles|ui)\//.test(path) ? 'ui' : 'features';
}

/**
 * Puts each stylesheet of the window into its layer.
 * @param root the folder of the sources of the window
 */
export const cssLayers = (root) => ({
  name: 'css-layers',
  enforce: 'pre',
  transform(code, id) {
    const [file] = id.replaceAll('\\', '/').split('?');
    const folder = `${root.replaceAll('\\', '/')}/`;
    if (!file.endsWith('.css') || !file.startsWith(folder)) return null;
    const layer = layerOf(file.slice(folder.length));
    // The first stylesheet to load declares their order.
    const order = layer === 'tokens' ? `@layer ${layers.join(', ')};\n` : '';
    return layer === null ? null : { code: `${order}@layer ${layer} {\n${code}\n}\n`, map: null };
  },
});

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

/**
 * A plugin of the build that writes which packages are in it: their folders below the project's root, sorted.
 * @param file of the list, as JSON
 */
export function listBundledPackages(file) {
  const folders = new Set();
  return {
    name: 'list-bundled-packages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        for (const id of Object.keys(chunk.modules ?? {})) {
          const folder = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+/.exec(
            id.replaceAll('\\', '/'),
          );
          if (folder) folders.add(folder[0]);
        }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        JSON.stringify(
          [...folders].sort((a, b) => (a < b ? -1 : 1)),
          undefined,
          1,
        ),
      );
    },
  };
}
