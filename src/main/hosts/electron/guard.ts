import type { WebContents, Session, CustomScheme } from 'electron';

type Log = (sentence: string) => void;

/** What is used of Electron's app. */
interface ContentsSource {
  on(event: 'web-contents-created', listener: (event: unknown, contents: WebContents) => void): unknown;
}

interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
}

/** Restricts all web contents to the application's page: no navigation, no second window, no webview. */
export function guardContents(app: ContentsSource, log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    const leaves = ({ url, isMainFrame }: Navigation): boolean => !isMainFrame || !isPage(url);
    contents.on('will-frame-navigate', (event) => {
      if (!leaves(event)) return;
      event.preventDefault();
      log(`A page tried to navigate to ${destinationOf(event.url)}; it was blocked.`);
    });
    // The main frame's navigation has two events, and is logged once.
    contents.on('will-navigate', (event) => {
      if (leaves(event)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      log(`A page tried to open a window (${destinationOf(url)}); it was blocked.`);
      return { action: 'deny' };
    });
  });
}

/** The one permission that a page of ours has: to put text on the clipboard (“Copy”), never to read it. */
const copying = 'clipboard-sanitized-write';

/** Schemes that can't leave this computer; the page's policy restricts them further. */
const isLocal = (address: string): boolean => isOwnAddress(address) || /^(data|blob|devtools):/.test(address);

/** Denies permissions, devices, downloads, and requests to anything but our own pages, for all that a session shows. */
export function guardSession(session: Session, log: (sentence: string) => void): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) => {
    const allowed = permission === copying && isMainFrame && isOwnAddress(requestingUrl);
    if (!allowed) log(`A page asked for the permission ${permission}; it was denied.`);
    answer(allowed);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { isMainFrame }) =>
      permission === copying && isMainFrame && isOwnAddress(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const cancel = !isLocal(url);
    if (cancel) log(`A request to another host was blocked: ${destinationOf(url)}.`);
    answer({ cancel });
  });
  session.on('will-download', (event) => event.preventDefault());
  // The spelling checker would fetch its dictionaries from elsewhere.
  session.setSpellCheckerEnabled(false);
}

/** Our pages have a scheme and with it an origin of their own: no file:// page, no port that others could open. */
export const pageScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

export const pageAddress = 'app://wellbench/';

/** Whether an address is of our own scheme and host. */
export function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return protocol === 'app:' && host === 'wellbench';
}

/** Whether a URL is the window's page, with any query or fragment. */
export const isPage = (address: string): boolean =>
  isOwnAddress(address) && new URL(address).pathname === '/';

/** The destination of a URL for the log, without path and query, which can contain anything. */
export function destinationOf(address: string): string {
  if (!URL.canParse(address)) return 'nowhere';
  const { protocol, host } = new URL(address);
  return host ? `${protocol}//${host}` : protocol;
}
