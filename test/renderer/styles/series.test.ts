import { describe, expect, it } from 'vitest';
import { contrast, token, type Color } from './tokens.ts';

/** Colors as seen with deuteranopia (Machado and others, 2009, at full severity). */
const deuteranopia = ([red, green, blue]: Color): Color => [
  0.367322 * red + 0.860646 * green - 0.227968 * blue,
  0.280085 * red + 0.672501 * green + 0.047413 * blue,
  -0.01182 * red + 0.04294 * green + 0.968881 * blue,
];

/** In the OKLab space, where equal distances look equal; times 100. */
function distance(one: Color, other: Color): number {
  const toLab = ([r, g, b]: Color): Color => {
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
  const [a, b] = [toLab(one), toLab(other)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('colors of series in the %s theme', (_theme, at) => {
  const series = Array.from({ length: 8 }, (_, n) => ({
    name: `series-${n + 1}`,
    color: token(`series-${n + 1}`)[at],
  }));
  const surface = token('surface')[at];

  it.each(series)('$name has enough contrast with the surface', ({ color }) => {
    expect(contrast(color, surface)).toBeGreaterThanOrEqual(3);
  });

  it('are distinct, even with deuteranopia', () => {
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
