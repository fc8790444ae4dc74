import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Color = readonly [number, number, number];
const css = readFileSync(new URL('../../../src/renderer/styles/tokens.css', import.meta.url), 'utf8');

/** The value of a token in the light and the dark theme, as linear light. */
function token(name: string): readonly [Color, Color] {
  const found = new RegExp(`--${name}: light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\)`).exec(css);
  const color = (hex = ''): Color => {
    const part = (at: number) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return [part(0), part(2), part(4)];
  };
  if (!found) throw new Error(`there is no token ${name}`);
  return [color(found[1]), color(found[2])];
}

const luminance = ([red, green, blue]: Color) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
function contrast(one: Color, other: Color): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** What somebody without the green receptor sees (Machado and others, 2009, at its full degree). */
const deuteranopia = ([red, green, blue]: Color): Color => [
  0.367322 * red + 0.860646 * green - 0.227968 * blue,
  0.280085 * red + 0.672501 * green + 0.047413 * blue,
  -0.01182 * red + 0.04294 * green + 0.968881 * blue,
];

/** In the OKLab space, where equal distances look equal; times 100. */
function distance(one: Color, other: Color): number {
  const lab = ([r, g, b]: Color): Color => {
    const [l, m, s] = [
      0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
      0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
      0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
    ].map((value) => Math.cbrt(Math.max(value, 0))) as [number, number, number];
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [a, b] = [lab(one), lab(other)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('colours of series in the %s theme', (_theme, at) => {
  const series = Array.from({ length: 8 }, (_, n) => ({
    name: `series-${n + 1}`,
    color: token(`series-${n + 1}`)[at],
  }));
  const surface = token('surface')[at];

  it.each(series)('$name stands out from the surface', ({ color }) => {
    expect(contrast(color, surface)).toBeGreaterThanOrEqual(3);
  });

  it('are told apart, by somebody who does not see green too', () => {
    const close = series.flatMap((one, n) =>
      series.slice(n + 1).flatMap((other) => {
        const seen = distance(one.color, other.color);
        const green = distance(deuteranopia(one.color), deuteranopia(other.color));
        return Math.min(seen, green) < 6
          ? [`${one.name} and ${other.name}: ${seen.toFixed(1)}, ${green.toFixed(1)}`]
          : [];
      }),
    );
    expect(close).toEqual([]);
  });
});
