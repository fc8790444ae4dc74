/** The font of texts for canvases, which don't read CSS: that of `--font-text` in styles/tokens.css. */
export const textFont =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", "Liberation Sans", Roboto, sans-serif';
