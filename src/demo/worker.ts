import { parentPort, workerData } from 'node:worker_threads';
import { type DemoOptions, startDemo } from './index.ts';

/**
 * Runs a demo in its own thread. Its `workerData` are {@link DemoOptions}. It posts `{dataUrl, platformUrl, apiKeys,
 * login}` once it listens, and ends on the message `close`.
 */
if (parentPort) {
  const port = parentPort;
  const demo = await startDemo((workerData ?? {}) as DemoOptions);
  const { dataUrl, platformUrl, apiKeys, login } = demo;
  port.on('message', (message: unknown) => {
    if (message === 'close') void demo.close().then(() => port.close());
  });
  port.postMessage({ dataUrl, platformUrl, apiKeys, login });
}
