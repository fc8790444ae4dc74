import { expect, it } from 'vitest';
import { createRejectedRows } from '../../../../../src/renderer/features/upload/job/rejected-rows.ts';
import type { FixResult, RejectedRow } from '../../../../../src/shared/contract/upload.ts';

it('a row that is edited while another one is sent keeps its edits', async () => {
  const row = (line: number): RejectedRow => ({ line, record: line, cells: ['x', 'y'], reasons: [] });
  const rows = [row(2), row(5)];
  const sent: number[] = [];
  const results: ((result: FixResult) => void)[] = [];
  const { store, actions } = createRejectedRows(
    {
      upload: {
        rejected: async () => ({
          columns: ['a', 'b'],
          used: [0, 1],
          rows: rows.filter(({ line }) => !sent.includes(line)),
          isCut: false,
          isFixable: true,
          followUps: [],
        }),
        sendFixed: () => new Promise((resolve) => results.push(resolve)),
      },
    },
    'job',
  );
  await actions.load();
  const [first, second] = [row(2), row(5)];
  actions.edit(first, 0, '1');
  const sending = actions.send();
  await expect.poll(() => results.length).toBe(1);
  actions.edit(second, 1, '2');
  sent.push(2);
  results[0]?.({ status: 'started', job: 'other' });
  await sending;
  expect(store.getState()).toMatchObject({
    isSending: false,
    sentCount: 1,
    edits: new Map([[5, new Map([[1, '2']])]]),
  });
});
