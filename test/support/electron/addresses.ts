// Chromium can't be taught a scheme from outside, so pages of `app://wellbench/` live at an https address that nothing
// answers but the stand-in, by interception: https, so that it is a secure origin of its own, as in Electron.
const ending = '.app.invalid';

/** The address that a page of ours has in Chromium. */
export function toChromium(address: string): string {
  const { protocol, host, pathname, search, hash } = new URL(address);
  return protocol === 'app:' ? `https://${host}${ending}${pathname || '/'}${search}${hash}` : address;
}

/** The address that it has in Electron. */
export function fromChromium(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname, search, hash } = new URL(address);
  if (protocol !== 'https:' || !host.endsWith(ending)) return address;
  return `app://${host.slice(0, -ending.length)}${pathname}${search}${hash}`;
}
