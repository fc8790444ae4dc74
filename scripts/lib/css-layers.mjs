/** The layers of the window's stylesheets, later ones win whatever their selectors are. */
export const layers = ['tokens', 'base', 'ui', 'features'];

/**
 * The layer of a stylesheet, by its folder.
 * @param path from the sources of the window
 * @returns null: it stands above all layers, because it restyles what libraries draw, or for more contrast
 */
export function layerOf(path) {
  if (/^ui\/(grid|plot|editor)\//.test(path) || path === 'styles/contrast.css') return null;
  if (path === 'styles/tokens.css') return 'tokens';
  if (path === 'styles/base.css') return 'base';
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
