import { expect, it } from 'vitest';
import { createOpenedItems } from '../../../../src/main/features/workspace/opened-items.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { opened, type Opened } from '../../../../src/shared/contract/events.ts';

const thing = (problem: string): Opened => ({
  kind: 'problem',
  error: new AppError('internal', { problem }).toBody(),
});
const contentOf = ({ value }: { value?: unknown }): unknown => {
  const item = opened.parse(value);
  return item.kind === 'problem' ? item.error.details['problem'] : item;
};

it('an item opened from outside goes to one window, even when it arrives before the page', async () => {
  const { deliver, removeWindow, listen } = createOpenedItems();
  const ending = new AbortController();
  const stream = async (window?: number) =>
    (await listen({}, { signal: ending.signal, window }))[Symbol.asyncIterator]();
  deliver(thing('early'), 2);
  deliver(thing('for one that is gone'), 1);
  removeWindow(1);
  const [one, two, elsewhere] = await Promise.all([stream(1), stream(2), stream()]);
  expect(contentOf(await two.next())).toBe('early');
  const [first, second, other] = [one.next(), two.next(), elsewhere.next()];
  deliver(thing('b'), 2);
  deliver(thing('a'), 1);
  expect(contentOf(await first)).toBe('a');
  expect(contentOf(await second)).toBe('b');
  ending.abort();
  expect((await other).done).toBe(true);
});
