/** How the window writes numbers and times. */
export interface FormatStyle {
  /** `locale`: as usual in the user's locale; `plain`: with a point, and no groups. */
  readonly numbers: 'locale' | 'plain';
  /** `iso`: `2026-11-21 06:58:01`; `locale`: as usual in the user's locale. */
  readonly dates: 'iso' | 'locale';
}

let style: FormatStyle = { numbers: 'locale', dates: 'iso' };

/** The current style of this window. */
export const formatStyle = (): FormatStyle => style;

/** Changes the style; components that show numbers or times must be rendered again. */
export function setFormatStyle(next: FormatStyle): void {
  style = next;
}
