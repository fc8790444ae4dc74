import { afterEach, describe, expect, test } from 'vitest';
import { type Demo, startDemo } from '../../src/demo/index.ts';
import { type RequestOptions, type Reply, ask } from '../conformance/target.ts';

let demo: Demo;
afterEach(() => demo.close());
const faults = (asking: RequestOptions, key = demo.apiKeys.admin): Promise<Reply> =>
  ask({ authorization: `API ${key}` }, `${demo.dataUrl}/demo/faults`, asking);

describe('the admin route', () => {
  test('does not exist unless it was requested', async () => {
    demo = await startDemo({ records: 0 });
    expect((await faults({})).status).toBe(404);
  });

  test('shows, changes, and ends faults', async () => {
    demo = await startDemo({ records: 0, admin: true, faults: { latency_ms: 1 } });
    expect((await faults({})).json).toMatchObject({ latency_ms: 1, rate_5xx: 0 });
    expect((await faults({ method: 'PATCH', body: { rate_5xx: 1, html_errors: true } })).json).toMatchObject({
      latency_ms: 1,
      rate_5xx: 1,
    });
    expect(
      (await ask({ authorization: `API ${demo.apiKeys.read}` }, `${demo.platformUrl}/v2/wells`)).status,
    ).toBe(503);
    expect((await faults({ method: 'DELETE' })).json).toMatchObject({
      latency_ms: 0,
      rate_5xx: 0,
      html_errors: false,
    });
  });

  test('accepts only the admin key', async () => {
    demo = await startDemo({ records: 0, admin: true });
    expect((await faults({}, demo.apiKeys.write)).status).toBe(403);
    expect((await faults({}, 'unknown')).status).toBe(401);
  });

  test.each<[string, RequestOptions, number]>([
    ['an unknown name', { method: 'PATCH', body: { nothing: 1 } }, 422],
    ['a value of the wrong type', { method: 'PATCH', body: { latency_ms: 'soon' } }, 422],
    ['a list', { method: 'PATCH', body: [] }, 422],
    ['invalid JSON', { method: 'PATCH', rawBody: '{' }, 400],
    ['another method', { method: 'PUT', body: {} }, 405],
  ])('rejects %s and changes nothing', async (_words, asking, status) => {
    demo = await startDemo({ records: 0, admin: true });
    const before = { ...demo.faults };
    expect((await faults(asking)).status).toBe(status);
    expect(demo.faults).toEqual(before);
  });
});
