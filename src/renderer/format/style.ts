/** How the window writes numbers and moments. */
export interface FormatStyle {
  /** `locale`: as people do where the person is; `plain`: with a point, and no groups. */
  readonly numbers: 'locale' | 'plain';
  /** `iso`: `2026-11-21 06:58:01`; `locale`: as people do where the person is. */
  readonly dates: 'iso' | 'locale';
}

let style: FormatStyle = { numbers: 'locale', dates: 'iso' };

/** The style that holds in this window. */
export const formatStyle = (): FormatStyle => style;

/** Changes the style; whoever shows numbers or moments has to be drawn again. */
export function setFormatStyle(next: FormatStyle): void {
  style = next;
}
