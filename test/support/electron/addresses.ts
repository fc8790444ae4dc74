// Chromium can't register a scheme from outside, so pages of `app://wellbench/` have an https address that only the
// stand-in serves, by interception: https, so that it is a secure origin of its own, as in Electron.
const ending = '.app.invalid';

/** The address of our page in Chromium. */
export function toChromium(address: string): string {
  const { protocol, host, pathname, search, hash } = new URL(address);
  return protocol === 'app:' ? `https://${host}${ending}${pathname || '/'}${search}${hash}` : address;
}

/** Its address in Electron. */
export function fromChromium(address: string): string {
  if (!URL.canParse(address)) return address;
  const { protocol, host, pathname, search, hash } = new URL(address);
  if (protocol !== 'https:' || !host.endsWith(ending)) return address;
  return `app://${host.slice(0, -ending.length)}${pathname}${search}${hash}`;
}
