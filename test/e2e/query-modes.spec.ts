import { words } from '../../src/renderer/words/words.ts';
import { any, including, startingLike } from '../support/wording.ts';
import { findings, popover } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';

test('a question is asked as find, aggregate and pipeline, and carried from one to the other', async ({
  app,
  page,
}) => {
  await app.openSample();
  await app.well('Cottonwood A-105H').click();
  await app.openDataset('demo/wits');
  const mode = (name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });

  await test.step('the range is picked, written into the text and read from it', async () => {
    await app.button(/^Time: all$/).click();
    await page.getByLabel(words.query.range.from).fill('2026-08-10 12:00');
    await app.button(words.query.range.set).click();
    await expect(app.button('Time: from 2026-08-10 12:00')).toBeVisible();
    expect(await app.query()).toBe(
      '{ asset_id: 5005, timestamp: { $gte: ISODate("2026-08-10T17:00:00.000Z") } }',
    );
    await app.typeQuery('{ asset_id: 5005, timestamp: { $gte: {{now-1h}} } }');
    await expect(app.button('Time: Last hour')).toBeVisible();
    await expect(app.button('Wells: Cottonwood A-105H')).toBeVisible();
    await app.typeQuery('{ asset_id: {{wells}} }');
    await expect(app.button('Wells: the chosen wells')).toBeVisible();
  });

  await test.step('a parameter that is asked for has a field, and nothing is sent without its value', async () => {
    await app.typeQuery('{ asset_id: {{wells}}, "data.hole_depth": { $gt: {{ask:depth:number}} } }');
    await app.button(words.query.run).click();
    await expect(app.answer.getByRole('alert')).toContainText('depth has no value yet');
    const depth = page.getByRole('textbox', { name: /^depth$/ });
    await depth.fill('deep');
    await expect(page.getByText('is not a number')).toBeVisible();
    await depth.fill('100');
    await page.getByLabel(words.query.limit).fill('3');
    await app.run();
    await expect(app.answer.getByRole('status').first()).toContainText(words.results.records(3));
  });

  await test.step('the request is shown as it was sent, and copied without the key', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await app.button(words.query.request.open).click();
    const request = page.getByRole('dialog', { name: words.query.request.heading });
    await expect(request).toContainText(including(words.query.request.sent(any)));
    await expect(request.getByRole('region', { name: words.query.request.address })).toContainText(
      'GET http://127.0.0.1',
    );
    await request.getByRole('button', { name: words.query.request.languages.curl }).click();
    await expect(request).toContainText(words.query.request.copied('curl'));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      '"authorization: API $WELLBENCH_API_KEY"',
    );
    expect(await findings(page, popover, '.popup')).toEqual([]);
    await page.keyboard.press('Escape');
  });

  await test.step('an aggregate takes over what the find asks, and groups it', async () => {
    await mode(words.query.modes.aggregate);
    await app.button(words.query.carry.take).click();
    await expect(page.getByText(words.query.carry.offer(words.query.carry.from.find))).toHaveCount(0);
    await app.pasteInto(
      page.getByRole('textbox', { name: startingLike(`${words.query.group}.`) }),
      '{ _id: "$asset_id", n: { $sum: 1 } }',
    );
    await page.getByLabel(words.query.limitOfGroup).fill('50');
    await page.keyboard.press('Control+Enter');
    await expect(app.column('n')).toHaveText(['50']);
    await app.button(words.query.export).click();
    const form = page.getByRole('dialog', { name: words.query.export });
    await expect(form.getByText(words.export.texts.whole)).toBeVisible();
    await form.getByRole('radio', { name: words.export.formats.ndjson }).check({ force: true });
    await expect(form.getByLabel(words.export.fileName)).toHaveValue(/\.ndjson$/);
    await form.getByRole('button', { name: words.export.start }).click();
    await expect(app.jobs.getByText(words.jobs.rows(1), { exact: false }).first()).toBeVisible();
  });

  await test.step('so does a pipeline, which a search of the text finds no fault with', async () => {
    await mode(words.query.modes.pipeline);
    await app.button(words.query.carry.take).click();
    await app.run();
    await expect(app.column('n')).toHaveText(['50']);
    expect(await findings(page, [], '.query-question')).toEqual([]);
  });
});

test.describe('the cards of a pipeline', () => {
  test('a pipeline is built with cards, by keyboard too', async ({ app, page }) => {
    await app.openSample();
    await app.well('Cottonwood A-105H').click();
    await app.openDataset('demo/wits');
    await page.getByRole('radio', { name: words.query.modes.pipeline, exact: true }).check({ force: true });
    await app.button(words.query.carry.keep).click();
    await expect.poll(() => app.query()).toContain('$limit');
    const first = await app.query();
    await page.getByRole('radio', { name: words.stages.view.cards, exact: true }).check({ force: true });
    const stages = page.getByRole('grid', { name: words.query.stages });
    const stage = (name: string) => stages.getByRole('row', { name });
    await expect(stages.getByRole('row')).toHaveCount(3);

    await test.step('a stage that is chosen shows a form, and what comes out of it', async () => {
      await stage(words.stages.name(3, '$limit')).click();
      const preview = page.getByRole('region', { name: words.stages.preview.heading });
      await expect(preview).toContainText(words.stages.preview.documents(5));
      await page.getByRole('textbox', { name: words.stages.form.limit }).fill('2');
      await expect(preview).toContainText(words.stages.preview.documents(2));
    });

    await test.step('it is dragged to the top by its handle', async () => {
      const over = { sourcePosition: { x: 16, y: 16 }, targetPosition: { x: 60, y: 4 } };
      await stage(words.stages.name(3, '$limit')).dragTo(stage(words.stages.name(1, '$match')), over);
      await expect(stage(words.stages.name(1, '$limit'))).toBeVisible();
    });

    await test.step('it is moved, switched off, removed and put back from the keyboard', async () => {
      await stage(words.stages.name(1, '$limit')).focus();
      await page.keyboard.press('Alt+ArrowDown');
      await expect(stage(words.stages.name(2, '$limit'))).toBeFocused();
      await page.getByRole('switch', { name: words.stages.turnOn(words.stages.name(3, '$sort')) }).focus();
      await page.keyboard.press('Space');
      await expect(stage(words.stages.name(3, '$sort, off'))).toBeVisible();
      await stage(words.stages.name(2, '$limit')).focus();
      await page.keyboard.press('Delete');
      await expect(stages.getByRole('row')).toHaveCount(2);
      await app.button(words.stages.putBack).click();
      await expect(stages.getByRole('row')).toHaveCount(3);
    });

    await test.step('the text is in step, and so are the cards with the text', async () => {
      await page
        .getByRole('radio', { name: words.stages.view.text, exact: true })
        .first()
        .check({ force: true });
      expect(await app.query()).toBe(
        '[\n  { $match: { asset_id: 5005 } },\n  { $limit: 2 },\n  // { $sort: { timestamp: -1 } },\n]',
      );
      const stages = page.getByRole('textbox', { name: startingLike(words.query.stages) });
      await stages.focus();
      await page.keyboard.press('ControlOrMeta+Z');
      await expect.poll(() => app.query()).toBe(first);
      await app.pasteInto(stages, '[{ $match: { asset_id: 5005 } }, { $merge: { into: "x" } }]');
      await page.getByRole('radio', { name: words.stages.view.cards, exact: true }).check({ force: true });
      await stage(words.stages.name(2, '$merge')).click();
      await expect(page.getByRole('alert').filter({ hasText: words.stages.refused.writes })).toBeVisible();
      await app.button(words.query.run).click();
      await expect(app.answer.getByRole('alert')).toContainText('$merge');
      expect(await findings(page, [], '.query-question')).toEqual([]);
    });
  });
});
