import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { words } from '../../src/renderer/words/words.ts';
import type { AppWindow } from '../e2e/support/app.ts';
import { builtPreload, type Desktop } from '../support/electron/desktop.ts';
import { dropFiles, pickFiles } from '../support/electron/gestures.ts';
import { expect, test } from './fixtures.ts';

/** The resources of a guard's test. */
interface Parts {
  readonly app: AppWindow;
  readonly desktop: Desktop;
  readonly folder: string;
}
type Try = (parts: Parts) => Promise<void>;

/** Guards that are tested in one window after another; starting an application takes as long as testing a guard. */
const guards: Record<'page' | 'outside' | 'windows' | 'files', (readonly [title: string, attempt: Try])[]> = {
  page: [],
  outside: [],
  windows: [],
  files: [],
};
const guard = (of: keyof typeof guards, title: string, attempt: Try): unknown =>
  guards[of].push([title, attempt]);

/** Requests a port like the page; `closed` resolves when the main process has closed it. */
const askForPort = (page: Page, send?: string): Promise<string> =>
  page.evaluate(
    (frame) =>
      new Promise<string>((resolve) => {
        const listen = ({ ports: [port] }: MessageEvent): void => {
          if (!port) return;
          window.removeEventListener('message', listen);
          port.addEventListener('close', () => resolve('closed'));
          port.addEventListener('message', ({ data }) => resolve(String(data)));
          port.start();
          if (frame !== undefined) port.postMessage(frame);
        };
        window.addEventListener('message', listen);
        window.postMessage('wellbench:connect', window.location.origin);
      }),
    send,
  );
const aboutCall = JSON.stringify({ i: '1', p: { u: '/workspace/about', b: {} } });

guard(
  'page',
  'the page is isolated: it has one bridge with one function, and nothing of Node or Electron',
  async ({ app }) => {
    const seen = await app.page.evaluate(() => ({
      bridge: Object.keys(window.wellbench ?? {}),
      frozen: Object.isFrozen(window.wellbench),
      globals: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer', 'global'].filter(
        (name) => name in window,
      ),
      secure: window.isSecureContext,
    }));
    expect(seen).toEqual({ bridge: ['offerFile'], frozen: true, globals: [], secure: true });
  },
);

guard(
  'windows',
  'a window of another make with our preload on our address is refused, and its port closed',
  async ({ app, desktop, folder }) => {
    await expect(app.button(words.start.openSample)).toBeVisible();
    const answer = desktop.evaluate(async ({ BrowserWindow }, preload) => {
      const foreign = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, contextIsolation: true },
      });
      await foreign.loadURL('app://wellbench/');
      const response: unknown = await foreign.webContents.executeJavaScript(`new Promise((resolve) => {
      window.addEventListener('message', ({ ports: [port] }) => {
        port?.addEventListener('close', () => resolve('closed'));
        port?.addEventListener('message', ({ data }) => resolve(data));
        port?.start();
        port?.postMessage(${JSON.stringify('{"i":"1","p":{"u":"/workspace/about","b":{}}}')});
      });
      window.postMessage('wellbench:connect', window.location.origin);
    })`);
      foreign.close();
      return response;
    }, builtPreload);
    expect(await answer).toBe('closed');
    expect(desktop.output()).toContain('A message from an unknown sender was rejected: app://wellbench.');
    const log = await readFile(join(folder, 'data', 'logs', 'wellbench.log'), 'utf8');
    expect(log).toContain('A message from an unknown sender was rejected: app://wellbench.');
    expect(await askForPort(app.page, aboutCall)).toContain('"electron"');
  },
);

guard(
  'page',
  'a frame inside the page gets no port, has no bridge, and our own page can’t be framed',
  async ({ app }) => {
    await app.page.evaluate(() => {
      const empty = document.createElement('iframe');
      empty.name = 'inner';
      const framed = Object.assign(document.createElement('iframe'), { src: window.location.href });
      document.body.append(empty, framed);
    });
    const inner = app.page.frame({ name: 'inner' });
    expect(await inner?.evaluate(() => 'wellbench' in window)).toBe(false);
    const ports = app.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let count = 0;
          window.addEventListener('message', ({ ports: given, data }) => {
            count += given.length;
            if (data === 'end') resolve(count);
          });
        }),
    );
    // If the first got a response, its port would arrive before the end.
    await inner?.evaluate(() => {
      window.parent.postMessage('wellbench:connect', '*');
      window.parent.postMessage('end', '*');
    });
    expect(await ports).toBe(0);
    await expect
      .poll(() =>
        app.page.evaluate(() => {
          try {
            return (
              document
                .querySelector<HTMLIFrameElement>('iframe[src]')
                ?.contentDocument?.querySelector('#root') ?? null
            );
          } catch {
            return null;
          }
        }),
      )
      .toBeNull();
  },
);

for (const [name, frame] of [
  ['that is no JSON', '{'],
  ['with a name of another form', '{"i":"1","p":{"u":"/__proto__/x"}}'],
  ['that is a stream into main', '{"i":"1","t":3,"p":{"e":"message"}}'],
] as const)
  guard('page', `a message ${name} ends its own port and nothing else`, async ({ app, desktop }) => {
    const refusals = () =>
      desktop.output().match(/A window sent an invalid message; its port was closed\./g)?.length ?? 0;
    const before = refusals();
    expect(await askForPort(app.page, frame)).toBe('closed');
    await expect.poll(refusals).toBe(before + 1);
    expect(await askForPort(app.page, aboutCall)).toContain('"electron"');
  });

guard(
  'page',
  'a call that the contract does not know, or with an input that does not fit, comes back as an error',
  async ({ app }) => {
    expect(await askForPort(app.page, '{"i":"1","p":{"u":"/files/destroy","b":{}}}')).toMatch(/"s":404/);
    const answer = await askForPort(
      app.page,
      '{"i":"1","p":{"u":"/jobs/show","b":{"json":{"job":"../../etc"}}}}',
    );
    expect(answer).toContain('invalid_input');
  },
);

guard('outside', 'the page stays where it is, whatever it tries to navigate to', async ({ app, desktop }) => {
  const before = app.page.url();
  const kept = (): number => desktop.output().match(/tried to navigate to/g)?.length ?? 0;
  const tries = ['https://elsewhere.invalid/?secret=1', new URL('/index.html', before).href];
  for (const [index, address] of tries.entries()) {
    await app.page.evaluate((to) => {
      window.location.href = to;
    }, address);
    await expect.poll(kept).toBe(index + 1);
  }
  expect(app.page.url()).toBe(before);
  await expect(app.button(words.start.openSample)).toBeVisible();
  expect(desktop.output()).not.toContain('secret');
});

guard('windows', 'a page opens no window', async ({ app, desktop }) => {
  await expect(app.button(words.start.openSample)).toBeVisible();
  // Run by the main process, not by a user's click: a debugged browser can hang over a window that opens and closes.
  await desktop.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`
      window.open('https://elsewhere.invalid/');
      window.open(window.location.href, '_blank', 'noopener');
      0`),
  );
  await expect.poll(() => desktop.output().match(/tried to open a window/g)?.length).toBe(2);
  await expect.poll(() => app.page.context().pages().length).toBe(1);
  expect(await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

guard('outside', 'it gets no permission but to put text on the clipboard', async ({ app, desktop }) => {
  expect(await app.page.evaluate(() => Notification.requestPermission())).toBe('denied');
  const place = app.page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve(0),
          ({ code }) => resolve(code),
        ),
      ),
  );
  // 1: the permission was denied.
  expect(await place).toBe(1);
  const state = (name: string): Promise<string> =>
    app.page.evaluate(
      (wanted) =>
        navigator.permissions.query({ name: wanted as PermissionName }).then((found) => found.state),
      name,
    );
  expect(await state('geolocation')).toBe('denied');
  expect(await state('clipboard-read')).toBe('denied');
  expect(await state('clipboard-write')).toBe('granted');
  expect(desktop.output()).toContain('A page asked for the permission notifications; it was denied.');
});

guard(
  'outside',
  'nothing but our own pages is requested, by the page or by main',
  async ({ app, desktop }) => {
    const refused = await app.page.evaluate(() => fetch('https://elsewhere.invalid/').then(String, String));
    expect(refused).toContain('Failed to fetch');
    const load = desktop.evaluate(({ BrowserWindow }) => {
      const other = new BrowserWindow({
        show: false,
        webPreferences: { sandbox: true, contextIsolation: true },
      });
      const loaded = other.loadURL('https://elsewhere.invalid/?secret=1');
      return loaded.then(() => 'loaded', String).finally(() => other.destroy());
    });
    expect(await load).toContain('ERR_BLOCKED_BY_CLIENT');
    expect(desktop.output()).toContain('A request to another host was blocked: https://elsewhere.invalid.');
    expect(desktop.output()).not.toContain('secret');
  },
);

guard('page', 'the scheme gives out files of the renderer and nothing else', async ({ app }) => {
  const statusOf = (path: string): Promise<number> =>
    app.page.evaluate((at) => fetch(at).then(({ status }) => status), path);
  expect(await statusOf('/index.html')).toBe(200);
  for (const path of [
    '/../main/index.js',
    '/..%2fmain%2findex.js',
    '/%2e%2e/main/index.js',
    '/..%5cmain%5cindex.js',
    '/%2fetc/passwd',
    '/assets/',
    '/package.json',
  ])
    expect(await statusOf(path)).toBe(404);
  const policy = await app.page.evaluate(() =>
    fetch('/').then(({ headers }) => headers.get('content-security-policy')),
  );
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('unsafe-eval');
});

guard('page', 'scripts from elsewhere and inline are not run', async ({ app }) => {
  const ran = await app.page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.body.append(script);
    const outer = Object.assign(document.createElement('script'), { src: 'https://elsewhere.invalid/a.js' });
    const blocked = new Promise((resolve) => outer.addEventListener('error', resolve));
    document.body.append(outer);
    await blocked;
    return 'inlineRan' in window;
  });
  expect(ran).toBe(false);
});

guard('windows', 'the menu is there, with what each system expects', async ({ desktop }) => {
  const menus = await desktop.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ id }) => id));
  expect(menus).toEqual(expect.arrayContaining(['file', 'edit', 'view']));
});

guard(
  'files',
  'the window gets only a token for a selected file, and one for each drop on it; a file dropped outside a drop area doesn’t replace the page',
  async ({ app, folder }) => {
    const path = join(folder, 'surveys.csv');
    await writeFile(path, 'md,inc\n1,2\n');
    await app.page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'picker' }));
    });
    await pickFiles(app.page, '#picker', [path]);
    const offered = await app.page.evaluate(async () => {
      const file = document.querySelector<HTMLInputElement>('#picker')?.files?.[0];
      return file && JSON.stringify(await window.wellbench?.offerFile(file));
    });
    expect(JSON.parse(offered ?? 'null')).toMatchObject({
      ok: true,
      value: { name: 'surveys.csv', bytes: 11 },
    });
    expect(offered).not.toContain(folder);

    const forgedFile = await app.page.evaluate(() =>
      window.wellbench?.offerFile(new File(['a'], '/etc/passwd')),
    );
    expect(forgedFile).toMatchObject({ ok: false, error: { code: 'file_unreadable' } });

    const other = join(folder, 'page.html');
    await writeFile(other, '<h1>Not ours</h1>');
    await dropFiles(app.page, app.button(words.start.openSample), [other]);
    await expect(app.button(words.start.openSample)).toBeVisible();
    expect(app.page.context().pages()).toHaveLength(1);

    // A hostile page: it keeps every file object, and creates its own events and files.
    await app.page.evaluate(() => {
      const kept: File[] = [];
      Object.assign(window, { kept });
      window.addEventListener('dragover', ({ dataTransfer }) => {
        if (dataTransfer) dataTransfer.dropEffect = 'copy';
      });
      window.addEventListener('drop', (event) => kept.push(...(event.dataTransfer?.files ?? [])));
    });
    const offerKept = () =>
      app.page.evaluate(() => {
        const [file] = (window as unknown as { kept: File[] }).kept;
        return file && window.wellbench?.offerFile(file);
      });
    const refused = {
      ok: false,
      error: { details: { reason: 'it wasn’t dropped or chosen in this window' } },
    };

    await dropFiles(app.page, app.button(words.start.openSample), [path]);
    await dropFiles(app.page, app.button(words.start.openSample), [path]);
    for (const _drop of ['first', 'second'])
      expect(await offerKept()).toMatchObject({ ok: true, value: { name: 'surveys.csv', bytes: 11 } });
    expect(await offerKept()).toMatchObject(refused);

    const ownEvents = await app.page.evaluate(() => {
      const [file] = (window as unknown as { kept: File[] }).kept;
      const dataTransfer = new DataTransfer();
      if (file) dataTransfer.items.add(file);
      window.dispatchEvent(new DragEvent('drop', { dataTransfer }));
      const input = Object.assign(document.createElement('input'), { type: 'file' });
      input.files = dataTransfer.files;
      document.body.append(input);
      input.dispatchEvent(new Event('change', { bubbles: true }));
      return file && window.wellbench?.offerFile(file);
    });
    expect(ownEvents).toMatchObject(refused);
    const forgedDrop = await app.page.evaluate(() =>
      window.wellbench?.offerFile(new File(['a'], '/etc/passwd')),
    );
    expect(forgedDrop).toMatchObject(refused);
  },
);

test('the page is isolated, and what it sends and loads is checked; it reaches nothing outside, opens no windows, and gets no paths of files', async ({
  app,
  desktop,
  folder,
}) => {
  for (const [title, attempt] of [...guards.outside, ...guards.windows, ...guards.page, ...guards.files])
    await test.step(title, () => attempt({ app, desktop, folder }));
});
