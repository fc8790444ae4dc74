import { screen, waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount, including } from '../../support/wording.ts';
import { openUpload, rigRows } from './support/upload.ts';

const w = uploadWords;
const { ledger } = w;

/** Prepares this many rows up to the button that sends them. */
async function openRig(name: string, rows: number) {
  const opened = await openUpload('Ridge A-101H');
  await opened.upload.pick(name, ['timestamp,ROP,WOB', ...rigRows(rows)]);
  await opened.upload.next('columns');
  await opened.upload.next('check');
  await opened.enabled(w.check.send(rows));
  return opened;
}

it('counts down to the next try, is canceled meanwhile, and resumes later with each row stored once', async () => {
  const { upload, press, demo } = await openRig('long.csv', 3000);
  // A few batches are accepted, then none.
  Object.assign(demo.faults, { rate_429: 1, retry_after: 3, fault_on: 'writes', fault_after: 4 });
  await upload.press(w.check.send(3000));
  await upload.text(including(w.send.nextTry(anyCount)));
  await within(await upload.tab()).findByRole('progressbar', { name: words.jobs.progress('long.csv') });
  await upload.text(including(w.send.nextTry(1)));
  await upload.press(words.cancel);
  await upload.text(ledger.headings.cancelled);
  const books = await upload.books();
  expect(books.pending).toBeGreaterThan(0);
  expect(books.accepted + books.rejected + books.unknown + books.pending).toBe(3000);

  demo.faults.rate_429 = 0;
  await upload.press(ledger.resume);
  await upload.text(ledger.headings.done);
  await expect.poll(upload.books).toMatchObject({ accepted: 3000, pending: 0 });
  await upload.press(ledger.lookAt);
  await press(words.query.count);
  await screen.findByText(words.query.counted(3000));
});

it('marks rows stored without a response as unknown when the service no longer exists, and the ledger adds up', async () => {
  const { upload, demo } = await openRig('gone.csv', 3000);
  // Reads lag behind writes, so that no row is settled before the service is gone.
  Object.assign(demo.faults, {
    reset_after_write: 1,
    fault_on: 'writes',
    fault_after: 4,
    stale_reads_ms: 600_000,
  });
  await upload.press(w.check.send(3000));
  await upload.text(including(ledger.notesWhile.sending.unknown));
  await demo.close();
  // The result of requests in flight is unknown when the connection is lost; remaining rows wait for the connection,
  // or for the user.
  await waitFor(
    async () => {
      const shown = within(await upload.tab());
      if (!shown.queryByText(including(w.send.nextTry(anyCount))) && !shown.queryByRole('alert'))
        throw new Error('it does not wait');
    },
    { timeout: 50_000 },
  );
  const cancel = within(await upload.tab()).queryByRole('button', { name: words.cancel });
  if (cancel) await upload.press(words.cancel);
  await upload.atRest();
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect(accepted + rejected + unknown + pending).toBe(rows);
  expect(unknown).toBeGreaterThan(0);
  await upload.button(ledger.resume);
});
