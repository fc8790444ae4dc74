import { expect, it } from 'vitest';
import { withQualityThread } from '../../../../src/main/features/quality/quality-thread.ts';

it('makes no call that is already canceled', async () => {
  const report = withQualityThread(AbortSignal.abort(), (calls) => calls.report());
  await expect(report).rejects.toMatchObject({ code: 'cancelled' });
});
