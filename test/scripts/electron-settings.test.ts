import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingProblems } from '../../scripts/lib/electron-settings.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function ourSources(): Promise<{ path: string; text: string }[]> {
  const names = (await readdir(join(root, 'src'), { recursive: true })).filter((name) =>
    /\.tsx?$/.test(name),
  );
  return Promise.all(
    names.map(async (name) => ({
      path: `src/${name.replaceAll('\\', '/')}`,
      text: await readFile(join(root, 'src', name), 'utf8'),
    })),
  );
}

describe('the check of Electron’s settings', () => {
  it('has no findings in our sources', async () => {
    const sources = await ourSources();
    expect(sources.length).toBeGreaterThan(500);
    expect(settingProblems(sources)).toEqual([]);
  });

  it.each([
    'new BrowserWindow({})',
    '{ nodeIntegration: true }',
    '{ nodeIntegrationInWorker:true }',
    '{ contextIsolation: false }',
    '{ sandbox: false }',
    '{ webSecurity: false }',
    '{ allowRunningInsecureContent: true }',
    '{ experimentalFeatures: true }',
    '{ webviewTag: true }',
    "{ enableBlinkFeatures: 'x' }",
    "window.loadURL('https://elsewhere.example')",
    "window.loadFile('index.html')",
    'window.loadURL(address)',
    "contents.executeJavaScript('1')",
    "eval('1')",
    "app.commandLine.appendSwitch('no-sandbox')",
    "app.on('certificate-error', yes)",
    '{ rejectUnauthorized: false }',
    'shell.openExternal(url)',
    'ipcMain.handle(name, act)',
    "contextBridge.exposeInMainWorld('all', all)",
    "ipcRenderer.send('anything')",
    'new WebContentsView()',
    "import { getGlobal } from '@electron/remote';",
    "crashReporter.start({ submitURL: 'https://elsewhere.example' })",
    'crashReporter.start({ uploadToServer: true })',
    'autoUpdater.checkForUpdates()',
    "import { request } from 'node:https';",
    "net.fetch('https://elsewhere.example')",
  ])('reports %s', (text) => {
    expect(settingProblems([{ path: 'src/main/core/wells/a.ts', text }])).not.toEqual([]);
  });

  it('allows each call in its own file, and mentions of it anywhere', () => {
    const speaks = '/* sandbox: false */\n// webSecurity: false\nexport const a = 1;\n';
    expect(settingProblems([{ path: 'src/main/core/wells/a.ts', text: speaks }])).toEqual([]);
    const handles = { path: 'src/main/hosts/electron/ports.ts', text: 'ipc.on(channels.connect, hear)' };
    expect(settingProblems([handles])).toEqual([]);
    expect(settingProblems([{ ...handles, path: 'src/main/hosts/electron/menu.ts' }])).toHaveLength(1);
  });
});
