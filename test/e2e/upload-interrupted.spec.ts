import { expect, test } from './support/upload.ts';

test('while the service asks for patience the clock of the next try runs; cancelled then, it goes on later and stores each row once', async ({
  app,
  demo,
  rig,
  upload,
}) => {
  await rig('long.csv', 20_000);
  // A few batches are taken, then none any more.
  Object.assign(demo.faults, { rate_429: 1, retry_after: 3, fault_on: 'writes', fault_after: 6 });
  await upload.button('Send 20,000 rows').click();
  await expect(upload.tab.getByText(/^[1-9][\d,]* of 20,000 rows/)).toBeVisible();
  await expect(upload.tab.getByRole('progressbar', { name: 'Progress of long.csv' })).toBeVisible();
  await expect(upload.tab.getByText(/Next try in [23] s\./)).toBeVisible();
  await expect(upload.tab.getByText('Next try in 1 s.')).toBeVisible();
  await upload.button('Cancel').click();
  await expect(upload.tab.getByRole('heading', { name: 'Cancelled' })).toBeVisible();
  const books = await upload.books();
  expect(books.pending).toBeGreaterThan(0);
  expect(books.accepted + books.rejected + books.unknown + books.pending).toBe(20_000);

  demo.faults.rate_429 = 0;
  await upload.button('Resume').click();
  await expect(upload.tab.getByRole('heading', { name: 'Uploaded' })).toBeVisible({ timeout: 60_000 });
  expect(await upload.books()).toMatchObject({ accepted: 20_000, pending: 0 });
  await upload.button('Look at it').click();
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
  await upload.button('Send 20,000 rows').click();
  await expect(upload.ledger.getByRole('row', { name: /^Unknown [1-9]/ })).toContainText(
    'the dataset is read before any is sent again',
  );
  await demo.close();
  // What was under way when the link went can't be known; what is left waits for the link, or for the person.
  await expect(
    upload.tab
      .getByText(/Next try in \d+ s\./)
      .or(upload.tab.getByRole('alert'))
      .first(),
  ).toBeVisible({ timeout: 60_000 });
  const cancel = upload.button('Cancel');
  if (await cancel.isVisible()) await cancel.click();
  await upload.atRest();
  const { accepted, rejected, unknown, pending, rows } = await upload.books();
  expect(accepted + rejected + unknown + pending).toBe(rows);
  expect(unknown).toBeGreaterThan(0);
  await expect(upload.button('Resume')).toBeVisible();
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
  await upload.button('Send 8,000 rows').click();
  await expect(upload.tab.getByText('Preparing…')).toBeVisible();
  await page.close({ runBeforeUnload: true });
  const question = await asks;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  // From now on the job begins, and can't end.
  Object.assign(demo.faults, { latency_ms: 0, rate_429: 1, retry_after: 1, fault_on: 'writes' });
  // The person stayed. Once the job has begun, nobody is asked, and it does not go with the page.
  await expect(upload.tab.getByText(/of 8,000 rows/)).toBeVisible();
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  await page.reload();
  await app.jobs.getByRole('button', { name: /^Jobs/ }).click();
  const job = app.jobs.getByRole('listitem', { name: 'Upload left.csv' });
  await job.getByRole('button', { name: 'Ledger of left.csv' }).click();
  expect(asked).toBe(0);

  const wanted = upload.tab.getByRole('checkbox', { name: 'Tell me when it is done' });
  await expect(wanted).not.toBeChecked();
  expect(await told()).toEqual([]);
  await upload.tab.getByText('Tell me when it is done').click();
  await expect(wanted).toBeChecked();
  demo.faults.rate_429 = 0;
  await expect(job).toContainText('8,000 accepted', { timeout: 60_000 });
  await expect.poll(told).toEqual(['asked', 'left.csv is done: 8,000 accepted']);
});
