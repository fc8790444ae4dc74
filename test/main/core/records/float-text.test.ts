import { expect, it } from 'vitest';
import { floatText, shortFloat } from '../../../../src/main/core/records/float-text.ts';

it.each([
  [0.1, '0.1'],
  [-0.1, '-0.1'],
  [0, '0'],
  [60.25, '60.25'],
  [-999.25, '-999.25'],
  [16_777_216, '16777216'],
  [1e-7, '1e-7'],
  [3.4028234663852886e38, '3.4028235e+38'],
  [0.0001, '0.0001'],
  [Number.NaN, 'NaN'],
  [-Infinity, '-Infinity'],
])('the text of %d in 32 bits is %s', (value, text) => {
  expect(floatText(Math.fround(value))).toBe(text);
});

it('is that of the shortest decimal, for numbers of each size', () => {
  const bits = new Uint32Array(1);
  const floats = new Float32Array(bits.buffer);
  let state = 1;
  for (let run = 0; run < 100_000; run++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bits[0] = state;
    // Half of them are of the sizes that logs have.
    if (run % 2 === 0) floats[0] = Math.fround((state / 2 ** 32 - 0.5) * 10 ** (run % 9));
    const value = floats[0] ?? 0;
    if (!Number.isFinite(value)) continue;
    const text = floatText(value);
    if (Math.fround(Number(text)) !== value) expect(text).toBe(String(value));
    if (Math.abs(value) < 1e7) expect(Number(text)).toBe(shortFloat(value));
  }
});
