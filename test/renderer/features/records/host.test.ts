import { expect, it } from 'vitest';
import { unpack } from '../../../../src/renderer/features/records/chunk.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { LiveEvent, LiveRequest } from '../../../../src/shared/tabs/live.ts';
import type { LiveChunkEvent } from '../../../../src/renderer/features/records/host.ts';
import { recordsApiWith, recordsBeside } from '../../../support/records.ts';

const request: LiveRequest = {
  connection: 'c',
  provider: 'p',
  dataset: 'd',
  query: '{}',
  fields: [],
  field: 'timestamp',
  everyMs: 5000,
  after: null,
  first: 10,
};
const cursor = { value: 2, floor: 1, ids: ['b'] };
const records =
  '[{"timestamp":1,"note":"x"},{"timestamp":9007199254740993,"data":{"rop":1}},{"data":{"rop":null}}]';

it('records of a live dataset arrive as complete columns, and the end of the stream is the end of the call', async () => {
  async function* events(): AsyncGenerator<LiveEvent, void, void> {
    yield { kind: 'nothing' };
    yield { kind: 'records', records, count: 3, cursor };
    throw new AppError('forbidden', { service: 'data' });
  }
  const { records: thread } = recordsBeside(recordsApiWith({ live: async () => events() }));
  const seen: LiveChunkEvent[] = [];
  const { signal } = new AbortController();
  const following = thread.live(request, { signal, onEvent: (event) => seen.push(event) });
  await expect(following).rejects.toMatchObject({ code: 'forbidden' });
  const [first, second] = seen;
  expect(first).toEqual({ kind: 'nothing' });
  if (second?.kind !== 'records') throw new Error('no records came');
  const cells = second.chunks.map((chunk) => [0, 1, 2].map((row) => unpack(chunk).held(row)));
  expect(cells).toEqual([
    [1, 9007199254740993n, undefined],
    ['x', undefined, undefined],
    [undefined, 1, null],
  ]);
  expect(second).toMatchObject({ count: 3, cursor });
  expect('records' in second).toBe(false);
});

it('a live dataset continues until it is canceled', async () => {
  const api = recordsApiWith({
    live: async (_request, { signal }) =>
      (async function* events(): AsyncGenerator<LiveEvent, void, void> {
        yield { kind: 'nothing' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      })(),
  });
  const { records: thread } = recordsBeside(api);
  const controller = new AbortController();
  const seen: LiveChunkEvent[] = [];
  await thread.live(request, {
    signal: controller.signal,
    onEvent(event) {
      seen.push(event);
      controller.abort();
    },
  });
  expect(seen).toEqual([{ kind: 'nothing' }]);
});
