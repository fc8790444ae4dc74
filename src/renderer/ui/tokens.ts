/** Current colors of the design tokens, for libraries without support for CSS variables. */
export interface TokenColors {
  readonly dark: boolean;
  /** Whether only the system's few high contrast colors are available. */
  readonly forced: boolean;
  /** `#rrggbb` (`#rrggbbaa` if it is transparent) of a token such as `--accent`. */
  readonly color: (token: string) => string;
}

const darkSystem = '(prefers-color-scheme: dark)';
const moreContrast = '(prefers-contrast: more)';
const systemColors = '(forced-colors: active)';

const hex = (part: number) => Math.round(part).toString(16).padStart(2, '0');

/** `rgb(1, 2, 3)` and `rgba(1, 2, 3, 0.5)`, as the browser computes colors, in hexadecimal. */
export function rgbToHex(computed: string): string {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (computed.match(/[\d.]+/g) ?? []).map(Number);
  return `#${hex(red)}${hex(green)}${hex(blue)}${alpha < 1 ? hex(alpha * 255) : ''}`;
}

let probe: HTMLElement | undefined;
/** The colors of tokens by the theme they were read in last: for each reading, the browser computes styles. */
let lastRead = { theme: '', colors: new Map<string, string>() };

/** A hidden element that stays in the page: adding and removing it each time makes the browser update other styles, too. */
function createProbe(): HTMLElement {
  const element = document.createElement('span');
  element.hidden = true;
  // In forced colors mode, the browser would return the system's colors.
  element.style.setProperty('forced-color-adjust', 'none');
  document.body.append(element);
  return element;
}

/**
 * Reads the tokens. CSS variables are computed only where they are used, so a hidden element uses each.
 * @param scheme the theme; absent: the current one
 */
export function tokenColors(scheme?: 'light' | 'dark'): TokenColors {
  const theme = `${themeState()} ${scheme ?? ''}`;
  if (lastRead.theme !== theme) lastRead = { theme, colors: new Map() };
  const { colors } = lastRead;
  const read = (token: string) => {
    const before = colors.get(token);
    if (before !== undefined) return before;
    if (!probe?.isConnected) probe = createProbe();
    probe.style.colorScheme = scheme ?? '';
    probe.style.color = `var(${token})`;
    const color = rgbToHex(getComputedStyle(probe).color);
    colors.set(token, color);
    return color;
  };
  return { dark: read('--is-dark') === '#ffffff', forced: matchMedia(systemColors).matches, color: read };
}

/** What the colors of tokens depend on. @returns equal texts for equal colors */
export function themeState(): string {
  const system = [darkSystem, moreContrast, systemColors].map((query) => matchMedia(query).matches);
  return [document.documentElement.dataset['theme'], ...system].join(' ');
}

/** Calls `listen` when the user or the system changes the theme. @returns stops listening */
export function onThemeChange(listen: () => void): () => void {
  const setting = new MutationObserver(listen);
  setting.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = [darkSystem, moreContrast, systemColors].map((query) => matchMedia(query));
  for (const query of system) query.addEventListener('change', listen);
  return () => {
    setting.disconnect();
    for (const query of system) query.removeEventListener('change', listen);
  };
}

/** The font of texts for canvases, which don't read CSS: that of `--font-text` in styles/tokens.css. */
export const textFont =
  '"Inter Variable", system-ui, -apple-system, "Segoe UI", "Liberation Sans", Roboto, sans-serif';
