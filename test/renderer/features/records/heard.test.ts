import { expect, it } from 'vitest';
import { unpacked, type PackedChunk } from '../../../../src/renderer/features/records/chunk.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { LiveEvent, LiveRequest } from '../../../../src/shared/tabs/live.ts';
import { askable, recordsBeside } from '../../../support/records.ts';

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

it('what is heard of a dataset comes as columns, whole, and its end is the stream’s', async () => {
  async function* events(): AsyncGenerator<LiveEvent, void, void> {
    yield { kind: 'nothing' };
    yield { kind: 'records', records, count: 3, cursor };
    throw new AppError('forbidden', { service: 'data' });
  }
  const { records: thread, messages } = recordsBeside(askable({ live: async () => events() }));
  const stream = thread.live(request, { signal: new AbortController().signal })[Symbol.asyncIterator]();
  expect((await stream.next()).value).toEqual({ kind: 'nothing' });
  const { value } = await stream.next();
  if (value?.kind !== 'records') throw new Error('no records were heard');
  const cells = value.chunks.map((chunk: PackedChunk) => [0, 1, 2].map((row) => unpacked(chunk).held(row)));
  expect(cells).toEqual([
    [1, 9007199254740993n, undefined],
    ['x', undefined, undefined],
    [undefined, 1, null],
  ]);
  expect(value).toMatchObject({ count: 3, cursor });
  expect(
    JSON.stringify(
      messages.filter(({ call }) => call === 'heard'),
      (_, part: unknown) => (typeof part === 'bigint' ? '' : part),
    ),
  ).not.toContain('"records":"[');
  await expect(stream.next()).rejects.toMatchObject({ code: 'forbidden' });
});

it('a stream ends with its reader', async () => {
  const gone = Promise.withResolvers<boolean>();
  const api = askable({
    live: async (_request, { signal }) =>
      (async function* events(): AsyncGenerator<LiveEvent, void, void> {
        signal.addEventListener('abort', () => gone.resolve(true));
        yield { kind: 'nothing' };
        await gone.promise;
      })(),
  });
  const { records: thread } = recordsBeside(api);
  for await (const event of thread.live(request, { signal: new AbortController().signal })) {
    expect(event.kind).toBe('nothing');
    break;
  }
  expect(await gone.promise).toBe(true);
});
