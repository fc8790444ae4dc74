import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import type { Demo } from '../../../src/demo/index.ts';
import { createApp } from '../../../src/main/app.ts';
import { sourceAt } from '../../../src/main/core/files/files.ts';
import { noDialogs } from '../../../src/main/hosts/no-dialogs.ts';
import { uploadWords } from '../../../src/renderer/words/upload.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { anyCount, including } from '../../support/wording.ts';
import { useFolders } from '../../support/folders.ts';
import { findings } from './support/findings.ts';
import { openUpload, rigRows } from './support/upload.ts';

const folders = useFolders();
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

it('is canceled while it is prepared, paused, counts down to the next try, is canceled meanwhile, and resumes later with each row stored once', async () => {
  const { upload, press, demo, enabled } = await openRig('long.csv', 3000);
  demo.faults.latency_ms = 60_000;
  await upload.press(w.check.send(3000));
  await upload.text(w.check.preparing);
  expect(await findings()).toEqual([]);
  await upload.press(words.cancel);
  await enabled(w.check.send(3000));
  Object.assign(demo.faults, { latency_ms: 1000, fault_on: 'writes' });
  await upload.press(w.check.send(3000));
  await upload.press(words.jobs.pause);
  await upload.text(new RegExp(`${words.jobs.waits.resume}$`));
  expect(await findings()).toEqual([]);
  // A few batches are accepted, then none.
  Object.assign(demo.faults, { rate_429: 1, retry_after: 3, latency_ms: 0, fault_after: 4 });
  await upload.press(words.jobs.resume);
  await upload.text(including(w.send.nextTry(anyCount)));
  await within(await upload.tab()).findByRole('progressbar', { name: words.jobs.progress('long.csv') });
  expect(await findings()).toEqual([]);
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

/** Another computer that uploads a file to the same services, to its end. */
async function uploadElsewhere(
  { demo, folder }: { demo: Demo; folder: string },
  text: string,
): Promise<void> {
  const path = join(folder, 'rig.csv');
  await writeFile(path, text);
  const app = await createApp({
    host: 'browser',
    fileMode: 'dialog',
    dataFolder: join(folder, 'data'),
    env: { WELLBENCH_KEYCHAIN: 'off' },
    choose: () => noDialogs,
  });
  const { id: connection } = await app.client.connections.add({
    name: 'Elsewhere',
    dataUrl: demo.dataUrl,
    platformUrl: demo.platformUrl,
    credential: { method: 'api_key', apiKey: demo.apiKeys.write },
  });
  const { token: source } = await app.files.grantSource(sourceAt(path));
  const target = { provider: 'demo', dataset: 'uploads.time' };
  const { job } = await app.client.upload.start({ connection, ...target, source });
  await expect
    .poll(async () => (await app.client.jobs.list({})).jobs.find(({ id }) => id === job)?.state, {
      timeout: 30_000,
    })
    .toBe('done');
  await app.close();
}

it('says that rows are stored twice if another computer has uploaded the same file meanwhile', async () => {
  const opened = await openUpload();
  const { upload, demo, enabled } = opened;
  const from = Date.UTC(2026, 0, 1);
  const rows = Array.from({ length: 3000 }, (_, row) => `1,5001,${from + row * 1000},${row}.5`);
  const lines = ['version,asset_id,timestamp,rop', ...rows];
  await upload.pick('rig.csv', lines);
  await upload.next('columns');
  await upload.next('check');
  await enabled(w.check.send(3000));
  // A few batches are accepted, then none until the other upload has ended.
  Object.assign(demo.faults, { rate_429: 1, retry_after: 3, fault_on: 'writes', fault_after: 4 });
  await upload.press(w.check.send(3000));
  await upload.text(including(w.send.nextTry(anyCount)));
  await upload.press(words.cancel);
  await upload.text(ledger.headings.cancelled);
  const { accepted } = await upload.books();
  expect(accepted).toBeGreaterThan(0);
  demo.faults.rate_429 = 0;
  await uploadElsewhere({ demo, folder: await folders() }, lines.join('\n'));

  await upload.press(ledger.resume);
  await upload.text(ledger.headings.done);
  const warnings = within(await upload.tab()).getByRole('region', { name: ledger.warnings });
  // The warning names a row by its well and time.
  await within(warnings).findByText(including('{ "asset_id": 5001, "timestamp": '));
  expect(await findings()).toEqual([]);
  await upload.press(ledger.lookAt);
  await opened.press(words.query.count);
  await screen.findByText(words.query.counted(3000 + 3000 - accepted));
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
