import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import type { DemoOptions } from '../../src/demo/index.ts';
import { ask } from '../conformance/target.ts';

const entry = new URL('../../src/demo/worker.ts', import.meta.url);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
const close = (worker: Worker): void => worker.postMessage('close');
type Message = { dataUrl: string; platformUrl: string; apiKeys: { read: string }; login: { email: string } };

async function startWorker(options: DemoOptions): Promise<{ worker: Worker; message: Message }> {
  const worker = new Worker(entry, { workerData: options });
  const [message] = (await once(worker, 'message')) as [Message];
  return { worker, message };
}

describe('the demo in a worker thread', () => {
  test('posts its addresses, keys, and sign-in once it listens, and ends on close', async () => {
    const { worker, message } = await startWorker({ records: 1_000, wells: 3 });
    expect(Object.keys(message)).toEqual(['dataUrl', 'platformUrl', 'apiKeys', 'login']);
    const reply = await ask(
      { authorization: `API ${message.apiKeys.read}` },
      `${message.platformUrl}/v2/wells`,
    );
    expect(reply.status).toBe(200);
    close(worker);
    expect(await once(worker, 'exit')).toEqual([0]);
    await expect(ask({ authorization: '' }, `${message.platformUrl}/v2/wells`)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  test('fails with an error when its port is taken', async () => {
    const { worker, message } = await startWorker({ records: 0 });
    const second = new Worker(entry, {
      workerData: { records: 0, port: Number(new URL(message.dataUrl).port) },
    });
    const [error] = (await once(second, 'error')) as [Error & { code: string }];
    expect(error.code).toBe('EADDRINUSE');
    close(worker);
    await once(worker, 'exit');
  });
});
