import { readFileSync } from 'node:fs';

/** Linear light: red, green, and blue from 0 to 1. */
export type Color = readonly [number, number, number];

const sheet = (name: string): string =>
  readFileSync(new URL(`../../../src/renderer/styles/${name}.css`, import.meta.url), 'utf8');
const usual = sheet('tokens');
const [moreContrast = ''] = /@media \(prefers-contrast: more\) \{[\s\S]*?\n\}/.exec(sheet('contrast')) ?? [];

function colorOf(hex: string): Color {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(0), part(2), part(4)];
}

/**
 * The value of a token in the light and the dark theme.
 * @param contrast `more`: with the system's high contrast
 * @throws Error when there is no such token
 */
export function token(name: string, contrast: 'usual' | 'more' = 'usual'): readonly [Color, Color] {
  const value = new RegExp(`--${name}: light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\)`);
  const found = (contrast === 'more' ? value.exec(moreContrast) : null) ?? value.exec(usual);
  if (!found) throw new Error(`there is no token ${name}`);
  return [colorOf(found[1] ?? ''), colorOf(found[2] ?? '')];
}

const luminance = ([red, green, blue]: Color) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** The contrast ratio of WCAG, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
