import type { CustomScheme } from 'electron';

/** Our pages have a scheme and with it an origin of their own: no file:// page, no port that others could open. */
export const pageScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

/** The address of the window's page. */
export const pageAddress = 'app://wellbench/';

/** Whether an address is of our own scheme and host. */
export function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, host } = new URL(address);
  return protocol === 'app:' && host === 'wellbench';
}

/** Whether an address is the window's page itself, whatever stands behind `?` or `#`. */
export const isPage = (address: string): boolean =>
  isOwnAddress(address) && new URL(address).pathname === '/';

/** Where an address leads, for the log: without path and query, which can hold anything. */
export function whereTo(address: string): string {
  if (!URL.canParse(address)) return 'nowhere';
  const { protocol, host } = new URL(address);
  return host ? `${protocol}//${host}` : protocol;
}
