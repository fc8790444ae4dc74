import { invalidInput } from '../../shared/errors/errors.ts';
import { BlockList, isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

const thisMachine = 'localhost,127.0.0.1,::1';

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, lower case first as curl does. An address without a scheme
 * means http.
 * @throws AppError `invalid_input` that names the variable, never its value: it may hold a password
 */
export function proxiesFrom(env: Environment) {
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return {
    http: proxyAddress(env, 'HTTP_PROXY'),
    https: proxyAddress(env, 'HTTPS_PROXY'),
    /** Hosts that are reached directly, comma-separated; this machine always is. */
    except: noProxy ? `${noProxy},${thisMachine}` : thisMachine,
  };
}

function proxyAddress(env: Environment, name: string): string | undefined {
  const said = (env[name.toLowerCase()] || env[name])?.trim();
  if (!said) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(said) ? said : `http://${said}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw invalidInput('This isn’t a proxy address. Use the form http://host:port.', { field: name });
  }
  return text;
}

const localNames = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/;

/** A host as addresses name it, without brackets and the dot at its end, in small letters. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
}

/** Whether a host is this machine by its name or number; no proxy is ever asked for it. */
export function isThisMachine(hostname: string): boolean {
  return localNames.test(plainHost(hostname));
}

interface Exception {
  /** The port that it is for; 0: any. */
  readonly port: number;
  readonly matches: (host: string) => boolean;
}

/**
 * Reads NO_PROXY as curl and others do: names with all below them (`.example.com`, `*.example.com`, `example.com`),
 * numbers, ranges of numbers (`10.0.0.0/8`), `*` for everything, each with a port if need be; commas or spaces between.
 * @returns whether a host is reached directly
 */
export function exceptionsIn(text: string): (hostname: string, port: number) => boolean {
  const exceptions = text
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map(readException);
  return (hostname, port) => {
    const host = plainHost(hostname);
    return (
      isThisMachine(host) ||
      exceptions.some((one) => (one.port === 0 || one.port === port) && one.matches(host))
    );
  };
}

function readException(entry: string): Exception {
  const range = rangeIn(entry);
  if (range) return { port: 0, matches: range };
  const [, name = entry, digits = '0'] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  const port = Number(digits);
  if (name === '*') return { port, matches: () => true };
  const wanted = plainHost(name.replace(/^\*?\./, ''));
  // `*.example.com` is for what lies below it, not for itself.
  const below = name.startsWith('*');
  return { port, matches: (host) => (!below && host === wanted) || host.endsWith(`.${wanted}`) };
}

/** `10.0.0.0/8`, `fd00::/8`: ranges of numbers; null for anything else. */
function rangeIn(entry: string): ((host: string) => boolean) | null {
  const [, network, digits = ''] = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry) ?? [];
  // Node makes its patterns of numbers when it is first asked, which each start would pay for.
  if (network === undefined) return null;
  const version = isIP(network);
  const bits = Number(digits);
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return null;
  const type = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return (host) => isIP(host) === version && list.check(host, type);
}
