import { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../../../../src/main/core/wire/http/exchange.ts';
import { longTimeouts } from './support.ts';

const request = { origin: 'http://a.example', path: '/', method: 'POST', headers: {}, body: null } as const;

function controllerThat(abort: () => unknown): Dispatcher.DispatchController {
  const nothing = () => undefined;
  return { aborted: false, paused: false, reason: null, abort, pause: nothing, resume: nothing };
}

/** A scripted dispatcher that records which requests were aborted. */
class Playing extends Dispatcher {
  readonly aborted: string[] = [];
  readonly #play: (handler: Dispatcher.DispatchHandler, start: (name: string) => void) => void;

  constructor(play: (handler: Dispatcher.DispatchHandler, start: (name: string) => void) => void) {
    super();
    this.#play = play;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#play(handler, (name) => {
      handler.onRequestStart?.(
        controllerThat(() => this.aborted.push(name)),
        null,
      );
    });
    return true;
  }
}

describe('an exchange', () => {
  it.each([
    ['one byte at a time ends', 1, false],
    ['enough bytes each time continues', 200, true],
  ])('whose body brings %s', async (_what, bytes, isComplete) => {
    const dispatcher = new Playing((handler, start) => {
      start('first');
      const controller = controllerThat(() => clearInterval(timer));
      handler.onResponseStart?.(controller, 200, {}, 'OK');
      let chunks = 0;
      const timer = setInterval(() => {
        handler.onResponseData?.(controller, Buffer.alloc(bytes, 0x20));
        if ((chunks += 1) < 60) return;
        clearInterval(timer);
        handler.onResponseEnd?.(controller, {});
      }, 5);
    });
    const timeouts = { ...longTimeouts, idleMs: 100, minBytes: 150 };
    const outcome = exchange(dispatcher, request, timeouts).then(
      ({ body }) => body.length,
      (error: { reason: unknown }) => error.reason,
    );
    expect(await outcome).toEqual(isComplete ? 60 * bytes : { kind: 'silent', afterMs: 100 });
  });

  it('is never written a second time, even when a client would repeat it', async () => {
    const dispatcher = new Playing((_handler, start) => {
      start('first');
      start('second');
    });
    await expect(exchange(dispatcher, request, longTimeouts)).rejects.toMatchObject({ isStarted: true });
    expect(dispatcher.aborted).toEqual(['first', 'second']);
  });

  it('that failed before it was written has not started', async () => {
    const dispatcher = new Playing((handler) => {
      handler.onResponseError?.(
        controllerThat(() => undefined),
        new Error('no way'),
      );
    });
    await expect(exchange(dispatcher, request, longTimeouts)).rejects.toMatchObject({
      isStarted: false,
      reason: { kind: 'broken' },
    });
  });

  it('that was abandoned isn’t written when its turn comes', async () => {
    const cancel = new AbortController();
    const dispatcher = new Playing((_handler, start) => {
      cancel.abort();
      start('late');
    });
    const pending = exchange(dispatcher, request, longTimeouts, { signal: cancel.signal });
    await expect(pending).rejects.toMatchObject({ isStarted: false, reason: { kind: 'cancelled' } });
    expect(dispatcher.aborted).toEqual(['late']);
  });

  it('frees the memory of copied chunks, unless others share it', async () => {
    const piece = (fill: number): Buffer => Buffer.allocUnsafeSlow(40_000).fill(fill);
    const single = [piece(1), piece(2)];
    const shared = Buffer.allocUnsafeSlow(60_000).fill(3);
    const dispatcher = new Playing((handler, start) => {
      const controller = controllerThat(() => undefined);
      start('only');
      handler.onResponseStart?.(controller, 200, { 'content-length': '140000' });
      for (const part of [shared.subarray(0, 20_000), ...single, shared.subarray(20_000)])
        handler.onResponseData?.(controller, part);
      handler.onResponseEnd?.(controller, {});
    });
    const { body } = await exchange(dispatcher, request, longTimeouts);
    const filled = (length: number, fill: number): Buffer => Buffer.alloc(length, fill);
    expect(
      body.equals(
        Buffer.concat([filled(20_000, 3), filled(40_000, 1), filled(40_000, 2), filled(40_000, 3)]),
      ),
    ).toBe(true);
    expect(single.map(({ length }) => length)).toEqual([0, 0]);
    expect(shared.length).toBe(60_000);
  });
});
