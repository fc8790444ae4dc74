import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import type { AppWindow } from './support/app.ts';
import { findings, popover } from './support/findings.ts';
import { expect, test } from './support/fixtures.ts';

interface Screen {
  readonly name: string;
  readonly open: (app: AppWindow, page: Page) => Promise<void>;
  /** A popover, over a window that is inert for as long. */
  readonly isPopover?: boolean;
  readonly leave?: (app: AppWindow, page: Page) => Promise<void>;
}

const command = async (page: Page, name: string) => {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('searchbox', { name: words.commands.search })).toBeFocused();
  await page.keyboard.type(name);
  await expect(page.getByRole('menuitem', { name }).first()).toHaveAttribute('data-focused');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: words.commands.region })).toHaveCount(0);
};
const escape = (_app: AppWindow, page: Page) => page.keyboard.press('Escape');

/** One after the other in one window; what has a test of its own with the steps that lead there is not here. */
const known: readonly Screen[] = [
  {
    name: 'the tour offered, before any well is chosen',
    open: (app) => app.openSample(),
  },
  {
    name: 'the table of wells',
    open: async (_app, page) => {
      await command(page, words.commands.titles.browse);
      await expect(page.getByRole('main').getByRole('gridcell').first()).toBeVisible();
    },
  },
  {
    name: 'the filters of wells',
    open: async (_app, page) => {
      await page
        .getByRole('navigation')
        .getByRole('button', { name: words.wells.filterWells })
        .click({ timeout: 10_000 });
      await expect(page.getByRole('dialog')).toBeVisible();
    },
    isPopover: true,
    leave: escape,
  },
  {
    name: 'what is known of a dataset',
    open: async (_app, page) => {
      await page.getByRole('searchbox', { name: words.datasets.search }).fill('demo/wits');
      await page
        .getByRole('button', { name: words.datasets.tab('demo/wits'), exact: true })
        .click({ timeout: 10_000 });
      await expect(page.getByRole('main').getByText('weight_on_bit').first()).toBeVisible();
    },
  },
  {
    name: 'the guide',
    open: async (_app, page) => {
      await page.keyboard.press('F1');
      await expect(
        page.getByRole('heading', { name: words.commands.groups.page, exact: true }),
      ).toBeVisible();
    },
    leave: (_app, page) => page.keyboard.press('F1'),
  },
  {
    name: 'the settings',
    open: async (_app, page) => {
      await page.keyboard.press('ControlOrMeta+,');
      await expect(page.getByRole('heading', { name: words.settings.region, exact: true })).toBeVisible();
    },
    leave: escape,
  },
];

/** Opens a well's query in the sample workspace and runs it. */
async function ask(app: AppWindow): Promise<void> {
  await app.openSample();
  await app.wells.getByRole('row').first().click();
  await app.openDataset('demo/wits');
  await app.run();
}

const answers: readonly Screen[] = [
  {
    name: 'a plot',
    open: async (app) => {
      await ask(app);
      await app.answer.getByText(words.results.views.plot, { exact: true }).click({ timeout: 10_000 });
      await expect(app.answer.locator('.chart canvas').first()).toBeVisible();
    },
  },
  {
    name: 'table and plot beside one another, with a record',
    open: async (app, page) => {
      await app.answer.getByText(words.results.views.both, { exact: true }).click({ timeout: 10_000 });
      await app.column('timestamp').first().click({ timeout: 10_000 });
      await expect(page.getByRole('region', { name: words.record.region })).toContainText('timestamp');
    },
  },
];

const questions: readonly Screen[] = [
  {
    name: 'the stages of a pipeline as cards',
    open: async (app, page) => {
      await ask(app);
      await page
        .getByRole('radio', { name: words.query.modes.pipeline, exact: true })
        .check({ force: true, timeout: 10_000 });
      await page.getByRole('button', { name: words.query.carry.take }).click({ timeout: 10_000 });
      await page
        .getByRole('radio', { name: words.stages.view.cards, exact: true })
        .check({ force: true, timeout: 10_000 });
      await expect(page.getByRole('button', { name: words.stages.add }).first()).toBeVisible();
    },
  },
  {
    name: 'the form that groups',
    open: async (_app, page) => {
      await page
        .getByRole('radio', { name: words.query.modes.aggregate, exact: true })
        .check({ force: true, timeout: 10_000 });
      await expect(page.getByText(words.query.group, { exact: true }).first()).toBeVisible();
    },
  },
  {
    name: 'a query that is saved',
    open: async (_app, page) => {
      await page.keyboard.press('ControlOrMeta+s');
      await expect(page.getByRole('dialog', { name: words.saved.saveQuery })).toBeVisible();
    },
    isPopover: true,
    leave: (_app, page) => page.keyboard.press('Enter'),
  },
  {
    name: 'saved queries and the history',
    open: async (_app, page) => {
      await command(page, words.commands.titles.saved);
      await expect(
        page.getByRole('grid', { name: words.saved.heading }).getByRole('row').first(),
      ).toBeVisible();
      await command(page, words.commands.titles.history);
      await expect(
        page.getByRole('grid', { name: words.history.heading }).getByRole('row').first(),
      ).toBeVisible();
    },
  },
];

test.use({ tour: true, colorScheme: 'light', reducedMotion: 'reduce' });

for (const [what, screens] of Object.entries({ 'what there is': known, answers, questions }))
  test(`no screen of ${what} has findings`, async ({ app, page }) => {
    for (const { name, open, isPopover = false, leave } of screens)
      await test.step(name, async () => {
        await open(app, page);
        expect(await findings(page, isPopover ? popover : [])).toEqual([]);
        // A popover that closes waits for its own transitions, and for ever when a change of the theme cuts one off.
        await page.evaluate(() =>
          Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
        );
        await leave?.(app, page);
        await expect(page.getByRole('dialog')).toHaveCount(0);
      });
  });
