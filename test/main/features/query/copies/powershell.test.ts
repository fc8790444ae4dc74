import { expect, it } from 'vitest';
import { formatCopies } from '../../../../../src/main/features/query/copies/copies.ts';

it('a body is quoted for PowerShell, including typographic quotes, and the key is read from its variable', () => {
  const { powershell } = formatCopies({
    connection: {
      name: 'North Ridge',
      dataUrl: 'https://data.example.com',
      platformUrl: 'https://api.example.com',
      method: 'api_key',
      sample: false,
      saved: true,
      secret: 'keychain',
    },
    address: { provider: 'demo', dataset: 'wits' },
    question: { kind: 'count', query: {} },
    described: {
      method: 'POST',
      url: 'https://data.example.com/count?a=%7B%7D',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'API x' },
      body: `{"rig":"Driller's ‘best’"}`,
    },
    timeoutMs: 30_000,
  });
  expect(powershell).toContain(`$body = '{"rig":"Driller''s ‘‘best’’"}'`);
  expect(powershell).toContain(`-ContentType 'application/json'`);
  expect(powershell).toContain('"API $env:WELLBENCH_API_KEY"');
  expect(powershell).toContain(`-Uri 'https://data.example.com/count?a=%7B%7D'`);
  expect(powershell).not.toContain('API x');
});
