/** Colors from the lowest value to the highest, of equal steps for the eye and for color-blind people (viridis). */
const stops: readonly (readonly [red: number, green: number, blue: number])[] = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];

/** The colors of a dark theme begin later, because the first ones can't be seen there. */
const darkStart = 0.25;

const steps = 64;

/** CSS colors of values, from the lowest to the highest. @param isDark whether they are on a dark surface */
export function colorSteps(isDark: boolean): string[] {
  const start = isDark ? darkStart : 0;
  // The brightest ones can't be seen on white.
  const end = isDark ? 1 : 0.92;
  return Array.from({ length: steps }, (_, at) => {
    const place = (start + (at / (steps - 1)) * (end - start)) * (stops.length - 1);
    const low = stops[Math.floor(place)] ?? [0, 0, 0];
    const high = stops[Math.ceil(place)] ?? low;
    const channel = (index: 0 | 1 | 2) =>
      Math.round(low[index] + (high[index] - low[index]) * (place - Math.floor(place)));
    return `rgb(${channel(0)}, ${channel(1)}, ${channel(2)})`;
  });
}
