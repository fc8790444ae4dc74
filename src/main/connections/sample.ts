import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { AppError } from '../../shared/errors/errors.ts';
import type { Environment } from './environment.ts';
import { workerUrl } from '../workers.ts';
import type { Connection } from '../../shared/connections/connections.ts';
import { sessionSecretStore } from './secret-store.ts';
import type { ConnectionBook, Entry, Facts } from './book.ts';
import { freeName } from './facts.ts';

const listening = z.looseObject({
  dataUrl: z.string(),
  platformUrl: z.string(),
  apiKeys: z.looseObject({ write: z.string() }),
});

/** Demo services that listen on this machine. */
export type OpenDemo = Awaited<ReturnType<typeof openDemoWorker>>;

/** What the sample workspace holds, unless these variables are set. Live: it ends now, and drilling goes on. */
const sampleShape = z.object({
  WELLBENCH_SAMPLE_WELLS: z.coerce.number().int().min(1).max(50_000).default(30),
  WELLBENCH_SAMPLE_RECORDS: z.coerce.number().int().min(1).max(10_000_000).default(200_000),
  WELLBENCH_SAMPLE_LIVE: z.enum(['on', 'off']).default('on'),
});

/**
 * Starts both demo services in a thread of their own, so that they never stall the core.
 * @throws AppError `invalid_input` naming the variable whose value is no number in range
 */
export async function openDemoWorker(env: Environment) {
  const shape = sampleShape.safeParse(env);
  if (!shape.success) {
    const issues = shape.error.issues.map(({ message, path }) => ({
      message,
      place: { field: path.join('.') },
    }));
    throw new AppError('invalid_input', { issues });
  }
  const { WELLBENCH_SAMPLE_WELLS: wells, WELLBENCH_SAMPLE_RECORDS: records } = shape.data;
  const live = shape.data.WELLBENCH_SAMPLE_LIVE === 'on';
  const worker = new Worker(workerUrl('demo'), { workerData: { wells, records, seed: 1, live } });
  let gone = false;
  const exit = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      gone = true;
      resolve();
    });
  });
  const { dataUrl, platformUrl, apiKeys } = await firstMessage(worker, exit);
  // From here on it holds no process open that has nothing else to do.
  worker.unref();
  return {
    dataUrl,
    platformUrl,
    apiKey: apiKeys.write,
    /** False once they are gone, whatever the reason. */
    alive: () => !gone,
    async close(): Promise<void> {
      if (gone) return;
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      worker.postMessage('close');
      await exit;
    },
  };
}

async function firstMessage(worker: Worker, exit: Promise<void>): Promise<z.infer<typeof listening>> {
  const failed = (problem: string) =>
    new AppError('internal', { problem: `the sample workspace ${problem}` });
  return new Promise((resolve, reject) => {
    // One that fails later ends; `alive` says so.
    worker.on('error', (error) => reject(failed(`could not start: ${error.message}`)));
    worker.once('message', (message: unknown) => {
      const parsed = listening.safeParse(message);
      if (parsed.success) resolve(parsed.data);
      else reject(failed('said something that is not understood'));
    });
    void exit.then(() => reject(failed('ended before it began')));
  });
}

export const sampleId = 'sample';

/** The sample workspace: started once, used again while it lives. */
export function createSample(
  book: ConnectionBook,
  entryOf: (facts: Facts, secretStore: NonNullable<Entry['secretStore']>) => Entry,
  openDemo: () => Promise<OpenDemo>,
) {
  let demo: Promise<OpenDemo> | null = null;

  async function opened(): Promise<Connection> {
    const running = await demo?.catch(() => null);
    if (running?.alive() && book.has(sampleId)) return connectionOf(sampleId);
    demo = running?.alive() ? demo : openDemo();
    if (!demo) throw new AppError('internal', { problem: 'the sample workspace is gone' });
    const { dataUrl, platformUrl, apiKey } = await demo;
    const facts: Facts = {
      id: sampleId,
      name: freeName(
        'Sample workspace',
        book.list().filter(({ id }) => id !== sampleId),
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
    return book.put(entryOf(facts, secretStore));
  }
  function connectionOf(id: string): Connection {
    const found = book.list().find((one) => one.id === id);
    if (!found) throw new AppError('connection_unknown', { connection: id });
    return found;
  }
  let opening: Promise<Connection> | null = null;
  return {
    open(): Promise<Connection> {
      opening ??= opened().finally(() => {
        opening = null;
      });
      return opening;
    },
    async close(): Promise<void> {
      const running = await demo?.catch(() => null);
      demo = null;
      await running?.close();
    },
  };
}
