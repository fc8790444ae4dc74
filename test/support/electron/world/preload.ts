/** A message from the preload's world to the stand-in's main process. */
export type FromPage =
  | { t: 'send' | 'post'; channel: string; args: string; ports: number[] }
  | { t: 'invoke'; id: number; channel: string; args: string }
  | { t: 'port'; port: number; data: string }
  | { t: 'port-close'; port: number };

/** A message to it. */
export type ToPage =
  | { t: 'result'; id: number; ok: boolean; value: string }
  | { t: 'port'; port: number; data: string }
  | { t: 'port-close'; port: number };

export interface PreloadWorldOptions {
  secret: string;
  encode: (value: unknown) => string;
  decode: (text: string) => unknown;
  /** Sends a message, as JSON, to the main process. */
  send: (json: string) => void;
  /** The preload script, wrapped as CommonJS is. */
  preload: (require: (name: string) => unknown, module: { exports: object }, exports: object) => void;
}

/** Where the main process finds {@link ToPage} and files of this world. */
export interface PreloadWorld {
  deliver(json: string): void;
  file(number: number): File | undefined;
}

/**
 * The `require('electron')` of a sandboxed preload script, in an isolated world of a real page. Injected by its
 * source, so it uses nothing from outside itself.
 */
export function preloadWorld({ secret, encode, decode, send, preload }: PreloadWorldOptions): PreloadWorld {
  const post = (message: FromPage): void => send(JSON.stringify(message));
  const ports = new Map<number, MessagePort>();
  const invoked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const exposed = new Map<string, Record<string, unknown>>();
  const files: File[] = [];
  const marks = new Map<string, string>();
  let numbers = 1;

  function carry(port: MessagePort): number {
    const number = numbers++;
    ports.set(number, port);
    port.addEventListener('message', (event) => post({ t: 'port', port: number, data: encode(event.data) }));
    port.addEventListener('close', () => post({ t: 'port-close', port: number }));
    port.start();
    return number;
  }

  const ipcRenderer = {
    send: (channel: string, ...args: unknown[]) =>
      post({ t: 'send', channel, args: encode(args), ports: [] }),
    postMessage: (channel: string, message: unknown, transfer: MessagePort[] = []) =>
      post({ t: 'post', channel, args: encode([message]), ports: transfer.map(carry) }),
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = numbers++;
        invoked.set(id, { resolve, reject });
        post({ t: 'invoke', id, channel, args: encode(args) });
      }),
  };

  const webUtils = {
    /**
     * A mark in place of the path: a page can't know the path; the main process inserts it when it receives the
     * mark. Two objects for one file have one mark, like one path: they are compared by what a page sees of a
     * file, which a page can forge.
     */
    getPathForFile(file: unknown): string {
      if (!(file instanceof File)) throw new TypeError('getPathForFile expects a File');
      const look = JSON.stringify([file.name, file.size, file.lastModified]);
      const mark = marks.get(look) ?? `standin-file:${secret}:${files.push(file) - 1}`;
      marks.set(look, mark);
      return mark;
    },
  };

  function expose(key: string): void {
    const api = exposed.get(key) ?? {};
    const functions = Object.keys(api).filter((name) => typeof api[name] === 'function');
    const values = Object.fromEntries(Object.entries(api).filter(([, value]) => typeof value !== 'function'));
    window.dispatchEvent(
      new CustomEvent(`${secret}:expose`, { detail: structuredClone({ key, functions, values }) }),
    );
  }
  const contextBridge = {
    exposeInMainWorld(key: string, api: Record<string, unknown>) {
      if (exposed.has(key)) throw new Error(`Cannot bind an API on top of an existing property: ${key}`);
      exposed.set(key, api);
      expose(key);
    },
  };
  window.addEventListener(`${secret}:hello`, () => [...exposed.keys()].forEach(expose));

  async function call(key: string, name: string, args: unknown[]): Promise<unknown> {
    const wanted = exposed.get(key)?.[name];
    if (typeof wanted !== 'function') throw new Error(`${key}.${name} is not exposed`);
    return structuredClone(await Reflect.apply(wanted, undefined, args));
  }
  window.addEventListener(`${secret}:call`, (event) => {
    type Call = { id: number; key: string; name: string; args: unknown[] };
    const { id, key, name, args } = (event as CustomEvent<Call>).detail;
    const answer = (ok: boolean, value: unknown): unknown =>
      window.dispatchEvent(new CustomEvent(`${secret}:result`, { detail: { id, ok, value } }));
    call(key, name, args).then(
      (value) => answer(true, value),
      (error: unknown) => answer(false, error instanceof Error ? error.message : String(error)),
    );
  });

  const electron = { contextBridge, ipcRenderer, webUtils };
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const module = { exports: {} };
  preload(require, module, module.exports);

  return {
    deliver(json) {
      const message = JSON.parse(json) as ToPage;
      if (message.t === 'port') ports.get(message.port)?.postMessage(decode(message.data));
      if (message.t === 'port-close') {
        ports.get(message.port)?.close();
        ports.delete(message.port);
      }
      if (message.t !== 'result') return;
      const call = invoked.get(message.id);
      invoked.delete(message.id);
      if (message.ok) call?.resolve(decode(message.value));
      else call?.reject(new Error(String(decode(message.value))));
    },
    file: (number) => files[number],
  };
}
