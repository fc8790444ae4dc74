import { EventEmitter } from 'node:events';
import { preventable } from './events.ts';

type ProtocolHandler = (request: Request) => Response | Promise<Response>;
type BeforeRequest = (details: object, answer: (what: { cancel?: boolean }) => void) => void;
type RequestHandler = (
  contents: object,
  permission: string,
  answer: (allowed: boolean) => void,
  details: object,
) => void;
type CheckHandler = (contents: object, permission: string, origin: string, details: object) => boolean;

class Protocol {
  readonly #handlers = new Map<string, ProtocolHandler>();
  readonly schemes: Map<string, object>;

  constructor(schemes: Map<string, object>) {
    this.schemes = schemes;
  }

  handle(scheme: string, handler: ProtocolHandler): void {
    if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.#handlers.set(scheme, handler);
  }

  isProtocolHandled(scheme: string): boolean {
    return this.#handlers.has(scheme);
  }

  /** The stand-in's own: the response to a request of a scheme; undefined when it has no handler. */
  async answer(request: { url: string; method: string }): Promise<Response | undefined> {
    const handler = this.#handlers.get(new URL(request.url).protocol.slice(0, -1));
    return handler?.(new Request(request.url, { method: request.method }));
  }
}

/** `protocol` before there is a session: schemes are registered once, before Electron is ready. */
export const schemes = new Map<string, object>();

class StandInSession extends EventEmitter {
  readonly protocol = new Protocol(schemes);
  #beforeRequest: BeforeRequest | null = null;
  #request: RequestHandler | null = null;
  #check: CheckHandler | null = null;

  readonly webRequest = {
    onBeforeRequest: (listener: BeforeRequest | null) => {
      this.#beforeRequest = listener;
    },
  };

  setPermissionRequestHandler(handler: RequestHandler | null): void {
    this.#request = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler | null): void {
    this.#check = handler;
  }
  setDevicePermissionHandler(_handler: unknown): void {}
  setDisplayMediaRequestHandler(_handler: unknown): void {}
  setSpellCheckerEnabled(_enable: boolean): void {}
  async resolveProxy(_url: string): Promise<string> {
    return 'DIRECT';
  }

  /** The stand-in's own: whether a listener blocks a request. */
  async blocks(details: { url: string; method: string }): Promise<boolean> {
    const listener = this.#beforeRequest;
    if (!listener) return false;
    return new Promise((resolve) => listener(details, ({ cancel }) => resolve(cancel === true)));
  }

  /** The stand-in's own: whether both handlers grant a permission to a page. Without handlers Electron grants all. */
  async permits(contents: object, permission: string, requestingUrl: string): Promise<boolean> {
    const details = { requestingUrl, isMainFrame: true };
    const [request, check] = [this.#request, this.#check];
    const requested = request
      ? await new Promise<boolean>((resolve) => request(contents, permission, resolve, details))
      : true;
    return requested && (check?.(contents, permission, requestingUrl, details) ?? true);
  }

  /** The stand-in's own: a page started a download, which the stand-in never performs. */
  download(url: string): boolean {
    const event = preventable({});
    this.emit('will-download', event, { getURL: () => url });
    return !event.defaultPrevented;
  }
}

export type { StandInSession };
export const defaultSession = new StandInSession();
