import { invalidInput } from '../../shared/errors/errors.ts';

/** The proxies that the environment names. Undefined: go directly. */
export interface Proxies {
  readonly http: string | undefined;
  readonly https: string | undefined;
  /** Hosts that are reached directly, comma-separated; this machine always is. */
  readonly except: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const thisMachine = 'localhost,127.0.0.1,::1';

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, lower case first as curl does. An address without a scheme
 * means http.
 * @throws AppError `invalid_input` that names the variable, never its value: it may hold a password
 */
export function proxiesFrom(env: Environment): Proxies {
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return {
    http: proxyAddress(env, 'HTTP_PROXY'),
    https: proxyAddress(env, 'HTTPS_PROXY'),
    except: noProxy ? `${noProxy},${thisMachine}` : thisMachine,
  };
}

function proxyAddress(env: Environment, name: string): string | undefined {
  const said = (env[name.toLowerCase()] || env[name])?.trim();
  if (!said) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(said) ? said : `http://${said}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw invalidInput('This is not the address of a proxy. Write it as http://host:port.', { field: name });
  }
  return text;
}
