import { describe, expect, it, vi } from 'vitest';
import type { CatalogueEvent } from '../../../src/shared/contract/catalogue.ts';
import { invalidInput } from '../../../src/shared/errors/errors.ts';
import { listOf, notLoaded, perform, Resource, type Answer } from '../../../src/renderer/state/resource.ts';

interface Call {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly answer: (value: string) => void;
  readonly fail: () => void;
}

/** A resource whose calls are answered one by one. */
function setUp() {
  const calls: Call[] = [];
  const resource = new Resource((key: string, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    calls.push({ key, signal, answer: resolve, fail: () => reject(invalidInput('no')) });
    return promise;
  });
  const answer = async (at: number, value: string) => {
    calls[at]?.answer(value);
    await settled();
  };
  const fail = async (at: number) => {
    calls[at]?.fail();
    await settled();
  };
  const keys = () => calls.map(({ key }) => key);
  return { resource, calls, keys, answer, fail, shown: (key = 'a') => textOf(resource.get(key)) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** `a`; with `…` while it is loaded again, and `!` after a failure. */
function textOf(answer: Answer<unknown>): string {
  const { isLoading, error } = answer.freshness;
  const value = answer.status === 'loaded' ? String(answer.value) : answer.status;
  return `${value}${isLoading ? '…' : ''}${error ? '!' : ''}`;
}

describe('a value', () => {
  it('is loaded once, whoever asks for it', async () => {
    const { resource, keys, answer, shown } = setUp();
    void resource.load('a');
    void resource.load('a');
    expect(shown()).toBe('loading…');
    await answer(0, 'one');
    await resource.load('a');
    expect([keys(), shown()]).toEqual([['a'], 'one']);
  });

  it('of another service is loaded again where it is read, and shown meanwhile, else forgotten until it is read next', async () => {
    const { resource, keys, answer, shown } = setUp();
    resource.follow('a');
    for (const [at, key] of ['a', 'b', 'c'].entries()) {
      void resource.load(key);
      await answer(at, key);
    }
    resource.invalidate((key) => key !== 'c');
    expect([shown('a'), shown('b')]).toEqual(['a…', 'idle']);
    for (const key of ['b', 'c']) void resource.load(key);
    expect(keys()).toEqual(['a', 'b', 'c', 'a', 'b']);
    await answer(4, 'new');
    await resource.load('b');
    expect([keys().length, shown('b')]).toEqual([5, 'new']);
  });

  it('belongs to its key', async () => {
    const { resource, keys, answer, shown } = setUp();
    void resource.load('a');
    void resource.load('b');
    await answer(1, 'two');
    expect([keys(), shown('a'), shown('b')]).toEqual([['a', 'b'], 'loading…', 'two']);
  });

  it('is loaded again where it is too old, and fails there if that does', async () => {
    const { resource, keys, answer, fail, shown } = setUp();
    const old = { maxAgeMs: 60_000 };
    void resource.load('a');
    await answer(0, 'one');
    await resource.load('a', old);
    expect(keys()).toEqual(['a']);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    await resource.load('a');
    expect(keys()).toEqual(['a']);
    const failing = resource.value('a', old);
    expect(shown()).toBe('one…');
    await Promise.all([expect(failing).rejects.toThrow(), fail(1)]);
    const loading = resource.value('a', old);
    await answer(2, 'two');
    expect(await loading).toBe('two');
    now.mockRestore();
  });

  it('that could not be loaded is not requested with each look at its age', async () => {
    const { resource, keys, fail, shown } = setUp();
    const old = { maxAgeMs: 60_000 };
    void resource.load('a', old);
    expect(resource.hasSettled('a')).toBe(false);
    await fail(0);
    await resource.load('a', old);
    expect([keys(), shown()]).toEqual([['a'], 'failed!']);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    void resource.load('a', old);
    expect([shown(), resource.hasSettled('a')]).toEqual(['loading…', true]);
    await fail(1);
    resource.forget('a');
    void resource.load('a', old);
    expect(keys()).toEqual(['a', 'a', 'a']);
    now.mockRestore();
  });

  it('has keys that are equal by their id', async () => {
    const read = vi.fn(async ({ id }: { readonly id: number }) => id);
    const resource = new Resource(read, { idOf: ({ id }) => id });
    await resource.load({ id: 1 });
    await resource.load({ id: 1 });
    expect(read).toHaveBeenCalledTimes(1);
    expect(textOf(resource.get({ id: 1 }))).toBe('1');
  });

  it('stays while it is loaded again', async () => {
    const { resource, answer, shown } = setUp();
    void resource.load('a');
    await answer(0, 'one');
    void resource.refresh('a');
    expect(shown()).toBe('one…');
    await answer(1, 'two');
    expect(shown()).toBe('two');
  });

  it('stays when loading it again fails, and has the reason until the next time', async () => {
    const { resource, answer, fail, shown } = setUp();
    void resource.load('a');
    await answer(0, 'one');
    void resource.refresh('a');
    await fail(1);
    expect(shown()).toBe('one!');
    void resource.refresh('a');
    expect(shown()).toBe('one…');
  });

  it('that could not be loaded is loaded again on request', async () => {
    const { resource, answer, fail, shown } = setUp();
    void resource.load('a');
    await fail(0);
    expect(shown()).toBe('failed!');
    void resource.load('a');
    await answer(1, 'one');
    expect(shown()).toBe('one');
  });

  it('is the last that was asked for, even if an earlier answer is late', async () => {
    const { resource, calls, answer, shown } = setUp();
    void resource.refresh('a');
    void resource.refresh('a');
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await answer(1, 'two');
    await answer(0, 'one');
    expect(shown()).toBe('two');
  });

  it('that a change has set is not replaced by one that was asked for before the change', async () => {
    const { resource, answer, shown } = setUp();
    void resource.refresh('a');
    resource.set('a', 'changed');
    await answer(0, 'old');
    expect(shown()).toBe('changed');
  });

  it('is not shown after the user canceled it, and an earlier one stays', async () => {
    const { resource, answer, shown } = setUp();
    void resource.refresh('a');
    resource.cancel('a');
    await answer(0, 'one');
    expect(shown()).toBe('idle');
    void resource.refresh('a');
    await answer(1, 'two');
    void resource.refresh('a');
    resource.cancel('a');
    await answer(2, 'three');
    expect(shown()).toBe('two');
  });

  it('that nobody has requested is not updated', async () => {
    const { resource, keys, answer } = setUp();
    await resource.update('a');
    void resource.load('a');
    await answer(0, 'one');
    void resource.update('a');
    expect(keys()).toEqual(['a', 'a']);
  });

  it('is waited for, or fails with its reason', async () => {
    const { resource, calls, answer, fail } = setUp();
    const values = [resource.value('a'), resource.value('a')];
    await answer(0, 'one');
    expect([await Promise.all(values), await resource.value('a')]).toEqual([['one', 'one'], 'one']);
    const failing = expect(resource.value('b')).rejects.toMatchObject({ code: 'invalid_input' });
    await fail(1);
    await failing;
    expect(calls).toHaveLength(2);
  });

  it('and its load end when all is cleared', async () => {
    const { resource, calls, answer, shown } = setUp();
    void resource.load('a');
    resource.clear();
    await answer(0, 'one');
    expect([calls[0]?.signal.aborted, shown()]).toEqual([true, 'idle']);
  });

  it('is passed on with each change', async () => {
    const seen: string[] = [];
    const read = async (key: string) => `${key}!`;
    const resource = new Resource(read, { onChange: (answer, key) => seen.push(key + textOf(answer)) });
    await resource.load('a');
    expect(seen).toEqual(['aloading…', 'aa!']);
  });
});

describe('readers', () => {
  it('share a load, which the last of them ends', () => {
    const { resource, calls, keys, shown } = setUp();
    const [stop, stopOther] = [resource.follow('a'), resource.follow('a')];
    expect(keys()).toEqual(['a']);
    stop();
    expect(calls[0]?.signal.aborted).toBe(false);
    stopOther();
    expect([calls[0]?.signal.aborted, shown()]).toEqual([true, 'idle']);
  });

  it('leave a load that an action began', () => {
    const { resource, calls } = setUp();
    void resource.load('a');
    resource.follow('a')();
    expect(calls[0]?.signal.aborted).toBe(false);
  });

  it('have the value at once that others had, and ask again for one that could not be loaded again', async () => {
    const { resource, keys, answer, fail, shown } = setUp();
    const stop = resource.follow('a');
    await answer(0, 'one');
    stop();
    resource.follow('a');
    expect([keys(), shown()]).toEqual([['a'], 'one']);
    void resource.refresh('a');
    await fail(1);
    resource.follow('a');
    expect(shown()).toBe('one…');
  });
});

describe('a list that arrives in events', () => {
  const [asOf, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  const items = (source: 'kept' | 'service', ...some: string[]) =>
    ({ kind: 'items', source, items: some }) as const;
  type Events = readonly (CatalogueEvent<string> | Error)[];

  /** What is shown after each part of lists that are loaded one after another. */
  async function partsOf(...lists: Events[]) {
    const left = [...lists];
    const seen: string[] = [];
    async function* stream() {
      for (const event of left.shift() ?? []) {
        if (event instanceof Error) throw event;
        yield event;
      }
    }
    const resource = new Resource(
      (_: null, signal) =>
        listOf(
          stream(),
          (some) => some.join(),
          signal,
          () => 0,
        ),
      {
        onChange: (answer) => {
          const text = `${textOf(answer)}${answer.freshness.isStale ? '?' : ''}`;
          if (seen.at(-1) !== text) seen.push(text);
        },
      },
    );
    for (const _ of lists) await resource.refresh(null);
    return seen;
  }

  it('is the stored one until the service has sent all', async () => {
    const parts = await partsOf([
      items('kept', 'a'),
      { kind: 'whole', source: 'kept', asOf },
      items('service', 'b'),
      items('service', 'c'),
      { kind: 'whole', source: 'service', asOf: later },
    ]);
    expect(parts).toEqual(['loading…', 'a…', 'a…?', 'b,c']);
  });

  it('is empty if the service has none, and stays if the service has the same', async () => {
    const stored = [items('kept', 'a'), { kind: 'whole', source: 'kept', asOf } as const];
    expect((await partsOf([...stored, { kind: 'whole', source: 'service', asOf: later }])).at(-1)).toBe('');
    expect((await partsOf([...stored, { kind: 'same', asOf: later }])).at(-1)).toBe('a');
  });

  it('has no stored items that are damaged', async () => {
    const parts = await partsOf([
      items('kept', 'a'),
      { kind: 'damaged' },
      items('service', 'b'),
      { kind: 'whole', source: 'service', asOf },
    ]);
    expect(parts.at(-1)).toBe('b');
  });

  it('is not what an earlier stream still sends', async () => {
    const late = Promise.withResolvers<string>();
    async function* stream(value: Promise<string>) {
      yield { value: await value, freshness: notLoaded };
    }
    const left = [late.promise, Promise.resolve('new')];
    const resource = new Resource<null, string>(() => stream(left.shift() ?? late.promise));
    const first = resource.refresh(null);
    await resource.refresh(null);
    late.resolve('old');
    await first;
    expect(textOf(resource.get(null))).toBe('new');
  });

  it('has all that arrived before it broke off', async () => {
    const parts = await partsOf([items('service', 'a'), items('service', 'b'), invalidInput('no')]);
    expect(parts).toEqual(['loading…', 'a…', 'a,b…', 'a,b!']);
  });

  it('is replaced as a whole when it is loaded again, or stays', async () => {
    const whole = { kind: 'whole', source: 'service', asOf } as const;
    const first = [items('service', 'a'), whole];
    expect(await partsOf(first, [items('service', 'b'), items('service', 'c'), whole])).toEqual([
      'loading…',
      'a…',
      'a',
      'a…',
      'b,c',
    ]);
    expect((await partsOf(first, [items('service', 'b'), invalidInput('no')])).at(-1)).toBe('a!');
  });
});

it('the error of a change is shown until the next change, as when undoing one fails and is tried again', async () => {
  const seen: (string | null)[] = [];
  const show = (error: Error | null) => seen.push(error?.message ?? null);
  await perform(() => Promise.reject(invalidInput('no')), show);
  await perform(async () => 1, show);
  expect(seen).toEqual([null, 'no', null]);
});
