import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../../../src/main/hosts/electron/menu.ts';

const platforms = ['linux', 'win32', 'darwin'] as const;

function items(list: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])]);
}
const acts: string[] = [];
const act = {
  newWindow: () => void acts.push('new window'),
  settings: () => void acts.push('settings'),
  openFile: () => void acts.push('open'),
  openRecent: (path: string) => void acts.push(path),
  clearRecent: () => void acts.push('clear'),
  copyDiagnostics: () => void acts.push('diagnostics'),
  checkForUpdates: null,
};
const template = (platform: NodeJS.Platform, development = false, recent: string[] = []) =>
  menuTemplate({ platform, development, recent, settingsKeys: 'CommandOrControl+,', act });
const roles = (platform: NodeJS.Platform, development = false) =>
  items(template(platform, development)).map(({ role }) => role);

describe('the menu', () => {
  it.each(platforms)('has the usual items on %s', (platform) => {
    const found = roles(platform);
    for (const role of ['editMenu', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'help'])
      expect(found).toContain(role);
    expect(found).toContain('quit');
    if (platform === 'darwin') for (const role of ['appMenu', 'services']) expect(found).toContain(role);
    if (platform !== 'darwin') expect(found).toContain('about');
  });

  it.each(platforms)('has a mnemonic or a role for each menu on %s', (platform) => {
    for (const { label, role } of template(platform)) expect(label?.includes('&') || role).toBeTruthy();
  });

  it('leaves Ctrl+W to the page, which closes its tab', () => {
    expect(roles('linux')).not.toContain('close');
    expect(roles('win32')).not.toContain('close');
    expect(roles('darwin')).toContain('close');
  });

  it('has developer tools only in a checkout', () => {
    for (const platform of platforms) {
      expect(roles(platform)).not.toContain('toggleDevTools');
      expect(roles(platform)).not.toContain('reload');
      expect(roles(platform, true)).toContain('toggleDevTools');
    }
  });

  it.each(platforms)('opens windows, files, and recent files, on %s', (platform) => {
    acts.length = 0;
    const all = items(template(platform, false, ['/far/R&D rates.wellbench']));
    for (const item of all) (item.click as (() => void) | undefined)?.();
    const others = ['new window', 'open', '/far/R&D rates.wellbench', 'clear'];
    // macOS has the settings under the application's own name.
    expect(acts).toEqual(
      platform === 'darwin' ? ['settings', ...others, 'diagnostics'] : [...others, 'settings', 'diagnostics'],
    );
    // The letter after a single & would be underlined.
    expect(all.map(({ label }) => label)).toContain('R&&D rates.wellbench (/far)');
  });

  it('shows on Linux how to get updates, once installed', () => {
    const labelsOf = (platform: NodeJS.Platform, development = false) =>
      items(template(platform, development)).filter(({ label }) => label === 'Updates come as packages');
    expect(labelsOf('linux')).toMatchObject([{ enabled: false }]);
    expect([...labelsOf('win32'), ...labelsOf('darwin'), ...labelsOf('linux', true)]).toEqual([]);
  });

  it('offers to check for updates when there is an update feed', () => {
    const labels = (checkForUpdates: (() => void) | null) =>
      items(
        menuTemplate({
          platform: 'linux',
          development: false,
          recent: [],
          settingsKeys: null,
          act: { ...act, checkForUpdates },
        }),
      ).map(({ label }) => label);
    expect(labels(null)).not.toContain('Check for &updates…');
    expect(labels(() => undefined)).toContain('Check for &updates…');
  });

  it.each(platforms)('has the settings with their current shortcuts, on %s', (platform) => {
    const options = { platform, development: false, recent: [], act };
    const settings = (keys: string | null) =>
      items(menuTemplate({ ...options, settingsKeys: keys })).find(({ label }) => label === '&Settings…');
    expect(settings('CommandOrControl+J')).toMatchObject({ accelerator: 'CommandOrControl+J' });
    expect(settings(null)).not.toHaveProperty('accelerator');
  });

  it('escapes characters that could disguise the name of a recent file', () => {
    const shown = items(template('linux', false, ['/data/a\u202evsc.exe.wellbench'])).map(
      ({ label }) => label,
    );
    expect(shown).toContain('a\\u202evsc.exe.wellbench (/data)');
  });

  it('has no recent files when none was opened', () => {
    const recent = items(template('linux')).find(({ label }) => label === 'Open &recent');
    expect(recent).toMatchObject({ enabled: false, submenu: [] });
  });

  it.each(platforms)('uses each shortcut once on %s', (platform) => {
    const used = items(template(platform)).flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(used).size).toBe(used.length);
    // The page’s own.
    for (const own of 'STWFCV') expect(used).not.toContain(`CommandOrControl+${own}`);
  });
});
