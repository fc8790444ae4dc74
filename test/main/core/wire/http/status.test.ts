import { describe, expect, it } from 'vitest';
import { errorMessageIn } from '../../../../../src/main/core/wire/http/http.ts';

describe('messages in error bodies', () => {
  it.each([
    ['{"code":422,"message":"limit must be 1 to 10000"}', 'limit must be 1 to 10000'],
    ['{"status":"Route Not Found"}', 'Route Not Found'],
    [
      '{"errors":{"login":["is wrong","or locked"],"ip":"is not allowed"}}',
      'login is wrong; or locked; ip is not allowed',
    ],
    ['{"errors":["first","second"]}', 'first; second'],
    ['{"errors":[{"detail":"no such well"}]}', 'no such well'],
    ['{"error":{"message":"inner"}}', 'inner'],
    ['"just a text"', 'just a text'],
    ['plain text\nover lines', 'plain text over lines'],
    ['<html><head><title>502 Bad Gateway</title></head><body>x</body></html>', '502 Bad Gateway'],
    ['<html><style>p{}</style><body><p>Blocked by</p> the firewall</body></html>', 'Blocked by the firewall'],
    ['{"message":"cut o', '{"message":"cut o'],
  ])('%s', (body, message) => {
    expect(errorMessageIn(body)).toBe(message);
  });

  it.each(['', '   ', '{}', '{"code":400}', '[]', 'null'])('are empty in: %j', (body) => {
    expect(errorMessageIn(body)).toBeUndefined();
  });

  it('are short, on one line, and without control characters', () => {
    const message = errorMessageIn(JSON.stringify({ message: `a\u0000b\r\nc ${'x'.repeat(5000)}` })) ?? '';
    expect(message.startsWith('a b c xxx')).toBe(true);
    expect(message).toHaveLength(300);
  });

  it('are found in a deeply nested body without an overflow', () => {
    expect(errorMessageIn('{"error":'.repeat(2000))).toHaveLength(300);
    expect(errorMessageIn(`${'{"error":'.repeat(500)}"x"${'}'.repeat(500)}`)).toBeUndefined();
  });

  it('never show credentials, known or unknown', () => {
    const body = JSON.stringify({
      message:
        'key s3cr3t-key refused: API abcdef123456, Bearer eyJhbGciOi.eyJzdWIi.sig, https://me:pw@proxy/',
    });
    const message = errorMessageIn(body, ['s3cr3t-key']) ?? '';
    for (const secret of ['s3cr3t-key', 'abcdef123456', 'eyJhbGciOi', 'me:pw'])
      expect(message).not.toContain(secret);
  });
});
