import { words } from '../../src/renderer/words/words.ts';
import { anyCount, including, oneOf, startingLike } from '../support/wording.ts';
import { expect, someSentOf, test } from './support/upload.ts';

test('while the service asks for patience the clock of the next try runs; cancelled then, it goes on later and stores each row once', async ({
  app,
  demo,
  rig,
  upload,
}) => {
  await rig('long.csv', 20_000);
  // A few batches are taken, then none any more.
  Object.assign(demo.faults, { rate_429: 1, retry_after: 3, fault_on: 'writes', fault_after: 6 });
  await upload.button(words.upload.check.send(20_000)).click();
  await expect(upload.tab.getByText(someSentOf(20_000))).toBeVisible();
  await expect(upload.tab.getByRole('progressbar', { name: words.jobs.progress('long.csv') })).toBeVisible();
  await expect(
    upload.tab.getByText(
      oneOf(including(words.upload.send.nextTry(2)), including(words.upload.send.nextTry(3))),
    ),
  ).toBeVisible();
  await expect(upload.tab.getByText(words.upload.send.nextTry(1))).toBeVisible();
  await upload.button(words.cancel).click();
  await expect(
    upload.tab.getByRole('heading', { name: words.upload.ledger.headings.cancelled }),
  ).toBeVisible();
  const books = await upload.books();
  expect(books.pending).toBeGreaterThan(0);
  expect(books.accepted + books.rejected + books.unknown + books.pending).toBe(20_000);

  demo.faults.rate_429 = 0;
  await upload.button(words.upload.ledger.resume).click();
  await expect(upload.tab.getByRole('heading', { name: words.upload.ledger.headings.done })).toBeVisible({
    timeout: 60_000,
  });
  expect(await upload.books()).toMatchObject({ accepted: 20_000, pending: 0 });
  await upload.button(words.upload.ledger.lookAt).click();
  expect(await app.count()).toBe(20_000);
});

test('a service that is gone is asked again and again; what it stored without an answer stands as unknown, and the books add up', async ({
  demo,
  rig,
  upload,
}) => {
  await rig('gone.csv', 20_000);
  Object.assign(demo.faults, { reset_after_write: 1, fault_on: 'writes', fault_after: 6 });
  // Reads don't show yet what was stored, so that no row is settled before the service is gone.
  demo.faults.stale_reads_ms = 600_000;
  await upload.button(words.upload.check.send(20_000)).click();
  await expect(
    upload.ledger.getByRole('row', { name: startingLike(words.upload.ledger.parts.unknown) }),
  ).toContainText(words.upload.ledger.notesWhile.sending.unknown);
  await demo.close();
  // What was under way when the link went can't be known; what is left waits for the link, or for the person.
  await expect(
    upload.tab
      .getByText(including(words.upload.send.nextTry(anyCount)))
      .or(upload.tab.getByRole('alert'))
      .first(),
  ).toBeVisible({ timeout: 60_000 });
  const cancel = upload.button(words.cancel);
  if (await cancel.isVisible()) await cancel.click();
  await upload.atRest();
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect(accepted + rejected + unknown + pending).toBe(rows);
  expect(unknown).toBeGreaterThan(0);
  await expect(upload.button(words.upload.ledger.resume)).toBeVisible();
});

test('leaving asks where an upload would lose something; one that was begun goes on, and the system tells of its end once the person has asked for it', async ({
  app,
  demo,
  page,
  rig,
  upload,
}) => {
  // In place of the browser's own, which shows its question and its notices to nobody here.
  await page.addInitScript(() => {
    const told: string[] = [];
    class Notice extends EventTarget {
      static permission: NotificationPermission = 'default';
      static async requestPermission() {
        told.push('asked');
        Notice.permission = 'granted';
        return Notice.permission;
      }
      constructor(title: string, options: NotificationOptions) {
        super();
        told.push(`${title}: ${options.body ?? ''}`);
      }
    }
    Object.assign(window, { Notification: Notice, told });
    document.hasFocus = () => false;
  });
  const told = () => page.evaluate(() => Reflect.get(window, 'told') as string[]);
  await rig('left.csv', 8000);
  demo.faults.latency_ms = 3000;
  const asks = page.waitForEvent('dialog');
  await upload.button(words.upload.check.send(8_000)).click();
  await expect(upload.tab.getByText(words.upload.check.preparing)).toBeVisible();
  await page.close({ runBeforeUnload: true });
  const question = await asks;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  // From now on the job begins, and can't end.
  Object.assign(demo.faults, { latency_ms: 0, rate_429: 1, retry_after: 1, fault_on: 'writes' });
  // The person stayed. Once the job has begun, nobody is asked, and it does not go with the page.
  await expect(upload.tab.getByText(including(words.jobs.rowsOf(anyCount, 8_000)))).toBeVisible();
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  await page.reload();
  await app.jobsToggle().click();
  const job = app.job('upload', 'left.csv');
  await job.getByRole('button', { name: words.jobs.openNamed('left.csv') }).click();
  expect(asked).toBe(0);

  const wanted = upload.tab.getByRole('checkbox', { name: words.jobs.endNotices.label });
  await expect(wanted).not.toBeChecked();
  expect(await told()).toEqual([]);
  await upload.tab.getByText(words.jobs.endNotices.label).click();
  await expect(wanted).toBeChecked();
  demo.faults.rate_429 = 0;
  await expect(job).toContainText(words.jobs.accepted(8_000), { timeout: 60_000 });
  await expect.poll(told).toEqual(['asked', 'left.csv is done: 8,000 accepted']);
});
