import { afterEach, describe, expect, it } from 'vitest';
import { createConnections, type Connections } from '../../../../src/main/core/connections/connections.ts';

let connections: Connections;
afterEach(() => connections.close());

describe('the sample workspace in its worker thread', () => {
  it('opens without an account, responds, and is available again after its removal', async () => {
    connections = createConnections({ env: { HTTP_PROXY: 'http://127.0.0.1:9' } });
    const sample = await connections.handlers.openSample({}, {});
    expect(sample).toMatchObject({ name: 'Sample workspace', sample: true });
    expect(await connections.handlers.openSample({}, {})).toEqual(sample);
    await expect(connections.handlers.test({ connection: sample.id }, {})).resolves.toMatchObject({
      data: { ok: true },
      platform: { ok: true },
    });
    const { data, platform } = connections.services(sample.id);
    await expect(platform.list('wells', {})).resolves.toHaveLength(30);
    await expect(data.count({ provider: 'demo', dataset: 'wits' }, {})).resolves.toBeGreaterThan(100_000);
    await connections.handlers.remove({ connection: sample.id }, {});
    await expect(data.count({ provider: 'demo', dataset: 'wits' }, {})).rejects.toMatchObject({
      code: 'cancelled',
    });
    await expect(connections.handlers.openSample({}, {})).resolves.toMatchObject({ id: sample.id });
  });

  it('has other data than a job of an earlier start', async () => {
    connections = createConnections({ env: { WELLBENCH_SAMPLE_WELLS: '1', WELLBENCH_SAMPLE_RECORDS: '1' } });
    const earlier = { id: 'sample', dataUrl: 'http://127.0.0.1:1' };
    const resume = () => connections.servicesOfJob(earlier);
    expect(resume).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    const { id, dataUrl } = await connections.handlers.openSample({}, {});
    // There is no address to correct.
    expect(resume).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.not.stringContaining('http') }),
    );
    expect(connections.servicesOfJob({ id, dataUrl })).toBe(connections.services(id));
  });

  it('has the size set by the environment', async () => {
    connections = createConnections({
      env: { WELLBENCH_SAMPLE_WELLS: '8', WELLBENCH_SAMPLE_RECORDS: '500' },
    });
    const sample = await connections.handlers.openSample({}, {});
    const { data, platform } = connections.services(sample.id);
    await expect(platform.list('wells', {})).resolves.toHaveLength(8);
    await expect(data.count({ provider: 'demo', dataset: 'wits' }, {})).resolves.toBeLessThan(500);
  });

  it('names the variable whose value isn’t a size', async () => {
    connections = createConnections({ env: { WELLBENCH_SAMPLE_RECORDS: 'many' } });
    await expect(connections.handlers.openSample({}, {})).rejects.toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field: 'WELLBENCH_SAMPLE_RECORDS' } }] },
    });
  });
});
