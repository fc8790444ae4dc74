import { expect, it } from 'vitest';
import { openQualityThread } from '../../../../src/main/features/quality/quality-thread.ts';

it('makes no call that is already canceled', async () => {
  const { calls } = openQualityThread(AbortSignal.abort());
  await expect(calls.report()).rejects.toMatchObject({ code: 'cancelled' });
});
