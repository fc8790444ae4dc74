import type { Page } from '@playwright/test';
import { plainName } from '../../src/shared/channels/plain-names.ts';
import { words } from '../../src/renderer/words/words.ts';
import { any, like } from '../support/wording.ts';
import { check, type AppWindow } from './support/app.ts';
import { findings, popover } from './support/findings.ts';
import { expect, rigRows, test } from './support/upload.ts';

interface Screen {
  readonly name: string;
  readonly open: (app: AppWindow, page: Page) => Promise<void>;
  /** A popover makes the window inert while it is open. */
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

/** Opens a well's query and runs it. */
async function ask(app: AppWindow): Promise<void> {
  await app.wells.getByRole('row').first().click();
  await app.openDataset('demo/wits');
  await app.run();
}

/** The screens in one window, one after the other; those with steps of their own have their own test. */
const screens: readonly Screen[] = [
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
    open: async (app, page) => {
      await app.showSection('datasets');
      await page.getByRole('searchbox', { name: words.datasets.search }).fill('demo/wits');
      await page
        .getByRole('button', { name: words.datasets.tab('demo/wits'), exact: true })
        .click({ timeout: 10_000 });
      await expect(page.getByRole('main').getByText('weight_on_bit').first()).toBeVisible();
      await app.showSection('wells');
    },
  },
  {
    name: 'the guide',
    open: async (_app, page) => {
      await page.keyboard.press('F1');
      await expect(page.getByRole('complementary', { name: words.help.region })).toBeVisible();
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
  {
    name: 'the menu of a button',
    open: async (app, page) => {
      await app.button(words.theme.label).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
    isPopover: true,
    leave: escape,
  },
  {
    name: 'the details of a well',
    open: async (_app, page) => {
      await page
        .getByRole('button', { name: like(words.wells.details(any)) })
        .first()
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
    isPopover: true,
    leave: escape,
  },
  {
    name: 'the stages of a pipeline as cards',
    open: async (app, page) => {
      await ask(app);
      await check(page.getByRole('radio', { name: words.query.modes.pipeline, exact: true }));
      await app.button(words.query.carry.take).click({ timeout: 10_000 });
      await check(page.getByRole('radio', { name: words.stages.view.cards, exact: true }));
      await expect(page.getByRole('button', { name: words.stages.add }).first()).toBeVisible();
    },
  },
  {
    name: 'the form of a summary',
    open: async (_app, page) => {
      await check(page.getByRole('radio', { name: words.summary.mode, exact: true }));
      await page.getByRole('button', { name: words.summary.replace }).click();
      await expect(page.getByRole('region', { name: words.summary.region })).toBeVisible();
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
  {
    name: 'an export, and the jobs',
    open: async (app, page) => {
      await app.button(words.query.export).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await findings(page, popover)).toEqual([]);
      await app.button(words.export.start).click();
      await expect(app.jobs.getByRole('link').first()).toBeVisible({ timeout: 30_000 });
    },
  },
];

/** Whether the page itself scrolls, horizontally and vertically. */
const scrolls = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });

/**
 * Controls that are partly outside the window, or under a neighbor, after scrolling. Grids and the editor scroll
 * both ways, and tabs along their row.
 */
const unreachableControls = (page: Page) =>
  page.evaluate(() => {
    const controls = document.querySelectorAll('button, input, select, [role=tab], [role=radio], a[href]');
    return [...controls].flatMap((element) => {
      if (
        element.closest('.ag-root, .monaco-editor, [inert], [role=row], .visually-hidden, [aria-hidden=true]')
      )
        return [];
      const isMark = element instanceof HTMLInputElement && ['radio', 'checkbox'].includes(element.type);
      const box = isMark ? element.closest('label') : element;
      if (!box || !box.checkVisibility({ visibilityProperty: true })) return [];
      box.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, right, top, bottom, width } = box.getBoundingClientRect();
      if (width <= 1) return [];
      const name = box.getAttribute('aria-label') ?? box.textContent ?? '';
      const isIn = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isHit = hit !== null && (box.contains(hit) || hit.contains(box));
      return isIn && isHit ? [] : [`${name} at ${[left, top, right, bottom].map(Math.round).join(' ')}`];
    });
  });

test.use({ isNew: true, colorScheme: 'light', reducedMotion: 'reduce' });

test('no screen has findings', async ({ app, page }) => {
  test.setTimeout(120_000);
  await app.openSample();
  for (const { name, open, isPopover = false, leave } of screens)
    await test.step(name, async () => {
      await open(app, page);
      expect(await findings(page, isPopover ? popover : [])).toEqual([]);
      // A closing popover waits for its own transitions, and forever if a theme change interrupts one.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      await leave?.(app, page);
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
});

// The remaining size of 1280 × 900 and of 1024 × 700 at 200 %.
const [wide, narrow] = [
  { width: 640, height: 450 },
  { width: 512, height: 350 },
] as const;

test.describe('at 200 %', () => {
  test.use({ viewport: wide });

  test('nothing of the window is clipped, and nothing has findings', async ({
    app,
    page,
    upload,
    fileWith,
  }) => {
    const expectAllReached = async () => {
      for (const size of [narrow, wide]) {
        await page.setViewportSize(size);
        await expect.poll(() => unreachableControls(page), { timeout: 10_000 }).toEqual([]);
        expect(await scrolls(page)).toEqual([0, 0]);
      }
    };
    const expectNoFindings = async () => {
      // A row that is half below a fixed header would count as too small.
      await page.evaluate(() => {
        for (const element of document.querySelectorAll('*')) element.scrollTop = 0;
      });
      expect(await findings(page)).toEqual([]);
    };
    await test.step('the start screen', expectAllReached);
    await app.button(words.connection.connect).click();
    await expectAllReached();
    await expectNoFindings();

    await app.openSample();
    await test.step('wells and datasets', expectAllReached);
    await expectNoFindings();
    const row = app.wells.getByRole('row').first();
    await row.click();
    await app.showSection('datasets');
    await app.datasets.getByRole('row', { name: /demo\/completion\.wits$/ }).dblclick();
    await test.step('a tab has the space of the sidebar when it opens', async () => {
      await expect(row).toBeHidden();
      await expectAllReached();
    });
    await app.openDataset('demo/wits');
    await test.step('the text of a query', expectAllReached);
    await app.textToggle().click();
    await app.run();
    await test.step('a query and its result, with a record next to it', async () => {
      await app.column('timestamp').first().dblclick();
      await expect(page.getByRole('region', { name: words.record.region })).toContainText(
        plainName('timestamp'),
      );
      await expectAllReached();
      await expectNoFindings();
    });

    await test.step('a plot', async () => {
      await app.answer.getByText(words.results.views.plot, { exact: true }).click();
      await expect(app.answer.locator('.chart canvas').first()).toBeAttached();
      await expectAllReached();
      await expectNoFindings();
    });

    await test.step('the sidebar collapses, and the query has the space', async () => {
      await app.showSection('wells');
      const questions = page.getByRole('main');
      const before = (await questions.boundingBox())?.width ?? 0;
      await page.keyboard.press('ControlOrMeta+b');
      await expect
        .poll(async () => (await questions.boundingBox())?.width ?? 0)
        .toBeGreaterThan(before + 100);
      await expect(row).toBeHidden();
      await expectAllReached();
      await app.button(words.tabs.side).click();
      await expect(row).toBeVisible();
    });

    await test.step('an upload', async () => {
      await upload.open('demo/uploads.time');
      await expectAllReached();
      await upload.pick(await fileWith('rig.csv', ['Time,ROP,WOB', ...rigRows(50)].join('\n')));
      await expectAllReached();
      await upload.next('columns');
      await expectAllReached();
      await expectNoFindings();
    });

    await test.step('the guide', async () => {
      await page.keyboard.press('F1');
      for (const size of [narrow, wide]) {
        await page.setViewportSize(size);
        await expect(page.getByRole('complementary', { name: words.help.region })).toBeInViewport({
          ratio: 1,
        });
        expect(await scrolls(page)).toEqual([0, 0]);
      }
    });
  });
});
