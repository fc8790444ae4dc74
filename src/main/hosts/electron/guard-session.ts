import type { Session } from 'electron';
import { isOwnAddress, whereTo } from './scheme.ts';

/** The one permission that a page of ours has: to put text on the clipboard (“Copy”), never to read it. */
const copying = 'clipboard-sanitized-write';

/** Addresses that leave this machine are not among these; what a page may do with the others is its policy's matter. */
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
    if (cancel) log(`A request to elsewhere was blocked: ${whereTo(url)}.`);
    answer({ cancel });
  });
  session.on('will-download', (event) => event.preventDefault());
  // The spelling checker would fetch its dictionaries from elsewhere.
  session.setSpellCheckerEnabled(false);
}
