import * as z from 'zod';
import type { Connection } from '../../../shared/connections/connections.ts';
import { AppError, schemaIssues } from '../../../shared/errors/errors.ts';
import { sampleId } from '../../../shared/jobs/job-states.ts';
import { Worker } from '../../world/threads.ts';
import { workerUrl } from '../../world/workers.ts';
import { createQueue } from '../queue.ts';
import type { Environment } from '../wire/http/routes.ts';
import type { ConnectionRegistry, EntryFactory } from './connections.ts';
import { freeName, type ConnectionProfile } from './profiles.ts';
import { sessionSecretStore } from './secrets.ts';

const startMessage = z.looseObject({
  dataUrl: z.string(),
  platformUrl: z.string(),
  apiKeys: z.looseObject({ write: z.string() }),
});

/** The sample services, listening on this computer. */
export type OpenDemo = Awaited<ReturnType<typeof openDemoWorker>>;

/** The size of the sample workspace, the same on every computer unless these variables are set. */
const sampleShape = z.object({
  WELLBENCH_SAMPLE_WELLS: z.coerce.number().int().min(1).max(50_000).default(30),
  WELLBENCH_SAMPLE_RECORDS: z.coerce.number().int().min(1).max(10_000_000).default(200_000),
  WELLBENCH_SAMPLE_LIVE: z.enum(['on', 'off']).default('on'),
});

/**
 * Starts both sample services in a worker thread.
 * @throws AppError `invalid_input` with the variable that is out of range; `internal` when they don't start
 */
export async function openDemoWorker(env: Environment) {
  const shape = sampleShape.safeParse(env);
  if (!shape.success) throw new AppError('invalid_input', { issues: schemaIssues(shape.error.issues) });
  const { WELLBENCH_SAMPLE_WELLS: wells, WELLBENCH_SAMPLE_RECORDS: records } = shape.data;
  const live = shape.data.WELLBENCH_SAMPLE_LIVE === 'on';
  const worker = new Worker(workerUrl('demo'), { workerData: { wells, records, seed: 1, live } });
  let hasExited = false;
  const exit = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      hasExited = true;
      resolve();
    });
  });
  const { dataUrl, platformUrl, apiKeys } = await firstMessage(worker, exit);
  // The worker doesn't keep the process running.
  worker.unref();
  return {
    dataUrl,
    platformUrl,
    apiKey: apiKeys.write,
    isRunning: () => !hasExited,
    async close(): Promise<void> {
      if (hasExited) return;
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage('close');
      await exit;
    },
  };
}

async function firstMessage(worker: Worker, exit: Promise<void>): Promise<z.infer<typeof startMessage>> {
  const startError = (problem: string) =>
    new AppError('internal', { problem: `the sample workspace ${problem}` });
  return new Promise((resolve, reject) => {
    // A later error ends the worker, which `isRunning` reports.
    worker.on('error', (error) => reject(startError(`could not start: ${error.message}`)));
    worker.once('message', (message: unknown) => {
      const parsed = startMessage.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(startError('sent an unexpected message'));
    });
    void exit.then(() => reject(startError('stopped before it was ready')));
  });
}

/** Opens the sample workspace: started once, reused while it runs. */
export function createSample(
  registry: ConnectionRegistry,
  entryOf: EntryFactory['entry'],
  openDemo: () => Promise<OpenDemo>,
) {
  let demo: Promise<OpenDemo> | null = null;

  async function openOnce(): Promise<Connection> {
    const current = await demo?.catch(() => null);
    const isRunning = current?.isRunning() === true;
    if (isRunning && registry.has(sampleId)) return registry.get(sampleId);
    const { dataUrl, platformUrl, apiKey } = isRunning ? current : await (demo = openDemo());
    const profile: ConnectionProfile = {
      id: sampleId,
      name: freeName(
        'Sample workspace',
        registry.list().filter(({ id }) => id !== sampleId),
      ),
      color: 'green',
      dataUrl,
      platformUrl,
      method: 'api_key',
      readOnly: false,
      sample: true,
      authorities: [],
      saved: false,
    };
    const secretStore = sessionSecretStore(sampleId);
    await secretStore.write({ method: 'api_key', apiKey });
    return registry.put(entryOf(profile, secretStore));
  }
  const queue = createQueue();
  return {
    open: (): Promise<Connection> => queue(openOnce),
    async close(): Promise<void> {
      const current = await demo?.catch(() => null);
      demo = null;
      await current?.close();
    },
  };
}
