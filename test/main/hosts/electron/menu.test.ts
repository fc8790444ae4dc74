import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../../../src/main/hosts/electron/menu.ts';

const platforms = ['linux', 'win32', 'darwin'] as const;

function items(list: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])]);
}
const roles = (platform: NodeJS.Platform, development = false) =>
  items(menuTemplate({ platform, development })).map(({ role }) => role);

describe('the menu', () => {
  it.each(platforms)('holds what everybody looks for on %s', (platform) => {
    const found = roles(platform);
    for (const role of ['editMenu', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'help'])
      expect(found).toContain(role);
    expect(found).toContain(platform === 'darwin' ? 'appMenu' : 'quit');
    if (platform !== 'darwin') expect(found).toContain('about');
  });

  it.each(platforms)('has a mnemonic or a role for each menu on %s', (platform) => {
    for (const { label, role } of menuTemplate({ platform, development: false }))
      expect(label?.includes('&') || role).toBeTruthy();
  });

  it('leaves Ctrl+W to the page, whose tabs it closes', () => {
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
});
