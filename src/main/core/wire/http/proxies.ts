import { invalidInput } from '../../../../shared/errors/errors.ts';
import { BlockList, isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads HTTP_PROXY, HTTPS_PROXY, and NO_PROXY, lower case first as curl does. An address without a scheme
 * means http.
 * @returns `except`: hosts without a proxy beside this computer, as {@link parseExceptions} reads them
 * @throws AppError `invalid_input` with the name of the variable, never its value, which may contain a
 *   password
 */
export function proxiesFrom(env: Environment) {
  return {
    http: proxyAddress(env, 'HTTP_PROXY'),
    https: proxyAddress(env, 'HTTPS_PROXY'),
    except: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
}

function proxyAddress(env: Environment, name: string): string | undefined {
  const value = (env[name.toLowerCase()] || env[name])?.trim();
  if (!value) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw invalidInput('This isn’t a proxy address. Use the form http://host:port.', { field: name });
  }
  return text;
}

const localNames = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/;

/** A host without brackets and trailing dot, in lower case. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
}

/** Whether a host is this computer; it never uses a proxy. */
export function isThisMachine(hostname: string): boolean {
  return localNames.test(plainHost(hostname));
}

interface Exception {
  /** The port; 0 means any. */
  readonly port: number;
  readonly matches: (host: string) => boolean;
}

/**
 * Parses NO_PROXY as curl does: names with their subdomains (`.example.com`, `*.example.com`, `example.com`),
 * IP addresses, CIDR ranges (`10.0.0.0/8`), and `*` for everything, each with an optional port, separated by
 * commas or spaces.
 * @returns whether a host needs no proxy
 */
export function parseExceptions(text: string): (hostname: string, port: number) => boolean {
  const exceptions = text
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map(parseException);
  return (hostname, port) => {
    const host = plainHost(hostname);
    return (
      isThisMachine(host) ||
      exceptions.some(
        (exception) => (exception.port === 0 || exception.port === port) && exception.matches(host),
      )
    );
  };
}

function parseException(entry: string): Exception {
  const range = parseRange(entry);
  if (range) return { port: 0, matches: range };
  const [, name = entry, digits = '0'] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  const port = Number(digits);
  if (name === '*') return { port, matches: () => true };
  const domain = plainHost(name.replace(/^\*?\./, ''));
  // `*.example.com` matches subdomains, not example.com itself.
  const isSubdomainOnly = name.startsWith('*');
  return { port, matches: (host) => (!isSubdomainOnly && host === domain) || host.endsWith(`.${domain}`) };
}

/** A matcher for a CIDR range such as `10.0.0.0/8` or `fd00::/8`; null for anything else. */
function parseRange(entry: string): ((host: string) => boolean) | null {
  const [, network, digits = ''] = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry) ?? [];
  // The first call of isIP compiles patterns, which would slow down each start.
  if (network === undefined) return null;
  const version = isIP(network);
  const bits = Number(digits);
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return null;
  const type = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return (host) => isIP(host) === version && list.check(host, type);
}
