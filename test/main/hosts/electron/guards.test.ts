import { EventEmitter } from 'node:events';
import type { Session, WebContents } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { guardContents, guardSession } from '../../../../src/main/hosts/electron/guard.ts';

describe('the session', () => {
  function guarded() {
    const logged: string[] = [];
    const events = new EventEmitter();
    const parts = {
      setPermissionRequestHandler: vi.fn<Session['setPermissionRequestHandler']>(),
      setPermissionCheckHandler: vi.fn<Session['setPermissionCheckHandler']>(),
      setDevicePermissionHandler: vi.fn<Session['setDevicePermissionHandler']>(),
      setDisplayMediaRequestHandler: vi.fn<Session['setDisplayMediaRequestHandler']>(),
      setSpellCheckerEnabled: vi.fn<Session['setSpellCheckerEnabled']>(),
      webRequest: {
        onBeforeRequest:
          vi.fn<(listener: (details: { url: string }, answer: (what: object) => void) => void) => void>(),
      },
      on: events.on.bind(events),
    };
    guardSession(parts as unknown as Session, (sentence) => logged.push(sentence)); // only the members in use
    return { parts, events, logged };
  }
  type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;
  type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
  const contents = {} as WebContents; // not read

  function asks(
    handler: RequestHandler | null | undefined,
    permission: Parameters<RequestHandler>[1],
    requestingUrl: string,
    isMainFrame = true,
  ) {
    let answered: boolean | undefined;
    handler?.(contents, permission, (allowed) => (answered = allowed), { requestingUrl, isMainFrame });
    return answered;
  }

  it('denies every permission except writing text to the clipboard from our own page', () => {
    const { parts, logged } = guarded();
    const request = parts.setPermissionRequestHandler.mock.lastCall?.[0];
    const ours = 'app://wellbench/';
    for (const permission of [
      'geolocation',
      'notifications',
      'media',
      'clipboard-read',
      'openExternal',
      'unknown',
    ] as const)
      expect(asks(request, permission, ours)).toBe(false);
    expect(asks(request, 'clipboard-sanitized-write', ours)).toBe(true);
    expect(asks(request, 'clipboard-sanitized-write', ours, false)).toBe(false);
    expect(asks(request, 'clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
    expect(logged).toContain('A page asked for the permission geolocation; it was denied.');
    const check: CheckHandler | null | undefined = parts.setPermissionCheckHandler.mock.lastCall?.[0];
    const checked = (permission: Parameters<CheckHandler>[1], origin: string) =>
      check?.(null, permission, origin, { isMainFrame: true, requestingUrl: origin });
    expect(checked('clipboard-sanitized-write', ours)).toBe(true);
    expect(checked('clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
    expect(checked('notifications', ours)).toBe(false);
  });

  it('grants no device and no screen capture', () => {
    const { parts } = guarded();
    const device = parts.setDevicePermissionHandler.mock.lastCall?.[0];
    expect(
      device?.({ deviceType: 'usb', origin: 'app://wellbench', device: {} } as unknown as Parameters<
        typeof device
      >[0]),
    ).toBe(false); // not read
    const screen = parts.setDisplayMediaRequestHandler.mock.lastCall?.[0];
    const answer = vi.fn<(streams: unknown) => void>();
    screen?.({} as unknown as Parameters<typeof screen>[0], answer); // not read
    expect(answer).toHaveBeenCalledWith(null);
  });

  it.each([
    ['app://wellbench/assets/a.js', false],
    ['data:image/png;base64,AA', false],
    ['blob:app://wellbench/1', false],
    ['https://evil.example/collect?secret=1', true],
    ['http://127.0.0.1:9/', true],
    ['ws://127.0.0.1:9/', true],
    ['file:///etc/passwd', true],
    ['app://elsewhere/', true],
  ])('responds to a request to %s: blocked %s', (url, cancel) => {
    const { parts, logged } = guarded();
    const answer = vi.fn<(what: object) => void>();
    parts.webRequest.onBeforeRequest.mock.lastCall?.[0]({ url }, answer);
    expect(answer).toHaveBeenCalledWith({ cancel });
    expect(logged.join(' ')).not.toContain('secret');
  });

  it('cancels downloads of a page, and downloads no dictionary', () => {
    const { parts, events } = guarded();
    const event = { preventDefault: vi.fn<() => void>() };
    events.emit('will-download', event);
    expect(event.preventDefault).toHaveBeenCalled();
    expect(parts.setSpellCheckerEnabled).toHaveBeenCalledWith(false);
  });
});

describe('all web contents', () => {
  function guarded() {
    const app = new EventEmitter();
    const logged: string[] = [];
    let openHandler: ((details: { url: string }) => unknown) | undefined;
    guardContents(app, (sentence) => logged.push(sentence));
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: typeof openHandler) => (openHandler = handler),
    });
    app.emit('web-contents-created', {}, contents);
    return { contents, logged, opens: (url: string) => openHandler?.({ url }) };
  }

  const foreignAddresses = [
    'https://evil.example/?token=1',
    'app://wellbench/assets/a.js',
    'file:///etc/passwd',
    'about:blank',
    'x',
  ];

  it.each(['will-navigate', 'will-frame-navigate'])('stay on our page at %s', (event) => {
    const { contents, logged } = guarded();
    const leaves = (url: string, isMainFrame = true): boolean => {
      const preventDefault = vi.fn<() => void>();
      contents.emit(event, { url, isMainFrame, preventDefault });
      return preventDefault.mock.calls.length === 0;
    };
    expect(leaves('app://wellbench/')).toBe(true);
    for (const url of foreignAddresses) expect(leaves(url)).toBe(false);
    expect(leaves('app://wellbench/', false)).toBe(false);
    // Both events report a navigation of the main frame, which is logged once.
    expect(logged).toHaveLength(event === 'will-navigate' ? 0 : 6);
    expect(logged.join(' ')).not.toContain('token');
  });

  it('follow no redirect', () => {
    const { contents } = guarded();
    const event = { url: 'app://wellbench/', preventDefault: vi.fn<() => void>() };
    contents.emit('will-redirect', event);
    expect(event.preventDefault).toHaveBeenCalled();
  });

  it('open no window and contain no webview', () => {
    const { contents, opens } = guarded();
    expect(opens('https://evil.example/')).toEqual({ action: 'deny' });
    expect(opens('app://wellbench/')).toEqual({ action: 'deny' });
    const event = { preventDefault: vi.fn<() => void>() };
    contents.emit('will-attach-webview', event);
    expect(event.preventDefault).toHaveBeenCalled();
  });
});
