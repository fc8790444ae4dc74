import { uploadWords } from '../../src/renderer/words/upload.ts';
import { words } from '../../src/renderer/words/words.ts';
import { anyCount, including } from '../support/wording.ts';
import { expect, test } from './support/upload.ts';

test('leaving prompts if an upload would lose something; a running one continues, and a notification reports its end if the user requested it', async ({
  app,
  demo,
  page,
  rig,
  upload,
}) => {
  // Replaces the browser's own prompts and notifications, which can't be seen here.
  await page.addInitScript(() => {
    const notices: string[] = [];
    class Notice extends EventTarget {
      static permission: NotificationPermission = 'default';
      static async requestPermission() {
        notices.push('asked');
        Notice.permission = 'granted';
        return Notice.permission;
      }
      constructor(title: string, options: NotificationOptions) {
        super();
        notices.push(`${title}: ${options.body ?? ''}`);
      }
    }
    Object.assign(window, { Notification: Notice, notices });
    document.hasFocus = () => false;
  });
  const notices = () => page.evaluate(() => Reflect.get(window, 'notices') as string[]);
  await rig('left.csv', 8000);
  demo.faults.latency_ms = 3000;
  const asks = page.waitForEvent('dialog');
  await upload.button(uploadWords.check.send(8_000)).click();
  await expect(upload.tab.getByText(uploadWords.check.preparing)).toBeVisible();
  await page.close({ runBeforeUnload: true });
  const question = await asks;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  // From here on the job starts, and can't end.
  Object.assign(demo.faults, { latency_ms: 0, rate_429: 1, retry_after: 1, fault_on: 'writes' });
  // The user stayed. Once the job has started, there is no prompt, and it doesn't end with the page.
  await expect(upload.tab.getByText(including(words.jobs.rowsOf(anyCount, 8_000)))).toBeVisible();
  let requestCount = 0;
  page.on('dialog', (dialog) => {
    requestCount += 1;
    void dialog.accept();
  });
  await page.reload();
  await app.jobsToggle().click();
  const job = app.job('upload', 'left.csv');
  await job.getByRole('button', { name: words.jobs.openNamed('left.csv') }).click();
  expect(requestCount).toBe(0);

  const wanted = upload.tab.getByRole('checkbox', { name: words.jobs.endNotices.label });
  await expect(wanted).not.toBeChecked();
  expect(await notices()).toEqual([]);
  await upload.tab.getByText(words.jobs.endNotices.label).click();
  await expect(wanted).toBeChecked();
  demo.faults.rate_429 = 0;
  await expect(job).toContainText(words.jobs.inserted(8_000), { timeout: 60_000 });
  await expect
    .poll(notices)
    .toEqual(['asked', `${words.jobs.endNotices.done('left.csv')}: ${words.jobs.inserted(8_000)}`]);
});
