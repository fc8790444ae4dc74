import { readFile } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { afterEach, describe, expect, it } from 'vitest';
import { createDirectClient, type AppRouter } from '../../src/main/app.ts';
import { errorInterceptors } from '../../src/main/call-errors.ts';
import { contract } from '../../src/shared/contract/contract.ts';
import { AppError, fromBody } from '../../src/shared/errors/errors.ts';
import type { Job } from '../../src/shared/jobs/jobs.ts';
import { sentenceFor } from '../../src/shared/errors/sentences.ts';

const os = implement(contract);
const aborted: string[] = [];

// The procedures that these tests call; the application tests the whole contract.
const router = {
  jobs: {
    show: os.jobs.show.handler(({ input }) => {
      throw new AppError('job_unknown', { job: input.job });
    }),
    list: os.jobs.list.handler(() => {
      throw new TypeError('x is not a function');
    }),
    discard: os.jobs.discard.handler(async () => {
      await readFile('/secret-folder/nothing');
      return {};
    }),
    cancel: os.jobs.cancel.handler(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted.push('cancel');
            reject(new AppError('cancelled', {}));
          });
        }),
    ),
  },
  events: {
    jobs: os.events.jobs.handler(async function* (): AsyncGenerator<Job> {
      yield* [];
      throw new AppError('disk_full', { file: 'a.csv', writtenBytes: 3 });
    }),
  },
} as unknown as AppRouter; // a part of it, see above

describe('the dispatcher', () => {
  const ports: MessageChannel[] = [];
  afterEach(() => {
    for (const { port1 } of ports.splice(0)) port1.close();
    aborted.length = 0;
  });

  function connect() {
    const faults: AppError[] = [];
    const channel = new MessageChannel();
    ports.push(channel);
    const handler = new RPCHandler(
      router,
      errorInterceptors((error) => faults.push(error)),
    );
    handler.upgrade(channel.port1, { context: {} });
    channel.port1.start();
    channel.port2.start();
    const client: ContractRouterClient<typeof contract> = createORPCClient(
      new RPCLink({ port: channel.port2 }),
    );
    return { client, faults, port: channel.port2 };
  }

  /** The rejection of a call, rebuilt on the other side of the connection. */
  const failure = async (call: Promise<unknown>): Promise<AppError> => {
    const reason: unknown = await call.then(
      () => null,
      (error: unknown) => error,
    );
    if (!(reason instanceof ORPCError)) throw new Error('it did not fail as a call fails');
    return fromBody(reason.data);
  };

  it('passes on an AppError with its code, details, and message', async () => {
    const { client, faults } = connect();
    const error = await failure(client.jobs.show({ job: '20261121-080000000-abcdef' }));
    expect(error).toMatchObject({ code: 'job_unknown', details: { job: '20261121-080000000-abcdef' } });
    expect(error.message).toBe(sentenceFor('job_unknown', { job: '20261121-080000000-abcdef' }));
    expect(faults).toEqual([]);
  });

  it('turns invalid input into invalid_input that names the field, before any handler runs', async () => {
    const { client } = connect();
    const error = await failure(client.jobs.show({ job: '../../etc/passwd' }));
    expect(error).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field: 'job' } }] },
    });
  });

  it('maps unexpected errors to internal, and logs them', async () => {
    const { client, faults } = connect();
    expect(await failure(client.jobs.list({}))).toMatchObject({ code: 'internal' });
    expect(faults).toHaveLength(1);
  });

  it('describes a system error without a path', async () => {
    const { client } = connect();
    const error = await failure(client.jobs.discard({ job: '20261121-080000000-abcdef' }));
    expect(error).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(error.toBody())).not.toContain('secret-folder');
  });

  it('sends errors of a stream in the same form as those of a call', async () => {
    const { client } = connect();
    const stream = await client.events.jobs({});
    expect(await failure(stream.next())).toMatchObject({ code: 'disk_full', details: { file: 'a.csv' } });
  });

  it('passes a cancel to the handler, and the closing of the window too', async () => {
    const { client, port } = connect();
    const stop = new AbortController();
    const first = client.jobs.cancel({ job: '20261121-080000000-abcdef' }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(first).rejects.toThrow();
    await expect.poll(() => aborted).toEqual(['cancel']);
    client.jobs.cancel({ job: '20261121-080000000-abcdef' }).catch(() => undefined);
    setTimeout(() => port.close(), 20);
    await expect.poll(() => aborted).toEqual(['cancel', 'cancel']);
  });

  it('responds with invalid_input to a valid frame with invalid content', async () => {
    const { port, faults } = connect();
    const answer = new Promise<string>((resolve) => port.on('message', (text: string) => resolve(text)));
    port.postMessage('{"i":"1","p":{"u":"/jobs/list","b":{"json":{},"meta":[[1,"__proto__","x"]]}}}');
    expect(await answer).toContain('"code":"invalid_input"');
    expect(faults).toEqual([]);
    expect('x' in {}).toBe(false);
  });

  it('throws AppError itself when it is called directly', async () => {
    const direct = createDirectClient(router);
    await expect(direct.jobs.show({ job: '20261121-080000000-abcdef' })).rejects.toBeInstanceOf(AppError);
    await expect(direct.jobs.show({ job: '?' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
