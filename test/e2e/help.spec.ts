import { findings } from './support/findings.ts';
import { addressOf, expect, test } from './support/fixtures.ts';

test('the guide stands beside the work: by F1, from what failed, by search and by links', async ({
  app,
  demo,
  page,
}) => {
  const help = page.getByRole('complementary', { name: 'Help' });
  await page.keyboard.press('F1');
  await expect(help.getByRole('heading', { name: 'Guide' })).toBeFocused();
  await help.getByRole('button', { name: 'Put a file in: upload' }).click();
  await expect(help.getByRole('heading', { name: 'Put a file in: upload' })).toBeFocused();
  expect(await findings(page)).toEqual([]);

  await help.getByRole('searchbox').fill('nothing stored twice');
  await help
    .getByRole('button', { name: /^Put a file in/ })
    .first()
    .click();
  await expect(help.getByRole('heading', { name: 'Put a file in: upload' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);

  await app.connect({ ...addressOf(demo), apiKey: 'not:one-of-theirs' });
  await app.button('Save anyway').click();
  await app.button('What can I do?').first().click();
  await expect(help.getByRole('heading', { name: 'not_authenticated' })).toBeFocused();
  await app.button('Close the help').click();
  await expect(help).toHaveCount(0);
});
