import { describe, expect, it } from 'vitest';
import { apiKeyIn } from '../../../src/main/services/api-key.ts';

describe('a pasted API key', () => {
  it.each([
    'abc-123',
    ' abc-123\n',
    'API abc-123',
    'api  abc-123',
    'Authorization: API abc-123',
    '"abc-123"',
  ])('is understood: %j', (pasted) => {
    expect(apiKeyIn(pasted)).toBe('abc-123');
  });

  it.each(['', '  ', 'API ', 'two words', 'line\nbreak', 'schlüssel', 'nul\u0000', 'Bearer abc'])(
    'is refused, without being shown: %j',
    (pasted) => {
      let message = '';
      try {
        apiKeyIn(pasted, 'WELLBENCH_API_KEY');
      } catch (error) {
        message = String(error);
      }
      expect(message).toMatch(/WELLBENCH_API_KEY/);
      for (const word of pasted.split(/\s/).filter((part) => /^(two|words|line|schl|nul|abc)/.test(part))) {
        if (word !== 'line') expect(message).not.toContain(word);
      }
    },
  );
});
