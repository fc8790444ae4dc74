import type { Session } from './cdp.ts';
import { decode } from './codec.ts';
import { ignore } from './events.ts';
import { ipcMain } from './ipc-main.ts';
import { MessagePortMain } from './message-port.ts';
import { worldName, worldScripts } from './preload-script.ts';
import type { FromPage, ToPage } from './world/preload.ts';

/** The sender, as ipcMain's listeners receive it. */
export interface Sending {
  sender: object;
  senderFrame: object | null;
}

/** Forwards what preload sends in a page, and returns the responses. */
export class PreloadLink {
  readonly #target: Session;
  readonly #secret: string;
  readonly #sending: () => Sending;
  /** Ports of the current page; their numbers restart with each page. */
  #ports = new Map<number, MessagePortMain>();
  #context: number | null = null;

  constructor(target: Session, secret: string, sending: () => Sending) {
    this.#target = target;
    this.#secret = secret;
    this.#sending = sending;
  }

  async install(preload: string, mainFrame: string): Promise<void> {
    const { page, isolated } = worldScripts(preload, this.#secret);
    this.#target.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId?: string };
      if (context.name !== worldName || frameId !== mainFrame) return;
      this.forget();
      this.#context = context.id;
    });
    this.#target.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (executionContextId === this.#context) this.forget();
    });
    this.#target.on('Runtime.executionContextsCleared', () => this.forget());
    this.#target.on('Runtime.bindingCalled', ({ payload, executionContextId }) => {
      if (executionContextId === this.#context) ignore(this.#onPageMessage(JSON.parse(payload) as FromPage));
    });
    await this.#target.send('Runtime.addBinding', {
      name: `${this.#secret}-send`,
      executionContextName: worldName,
    });
    await this.#target.send('Page.addScriptToEvaluateOnNewDocument', { source: page });
    await this.#target.send('Page.addScriptToEvaluateOnNewDocument', { source: isolated, worldName });
  }

  /** The page closed, and its ports with it. */
  forget(): void {
    const ports = [...this.#ports.values()];
    this.#ports = new Map();
    this.#context = null;
    for (const port of ports) port.lost();
  }

  #deliver(message: ToPage, context: number | null): void {
    if (context === null) return;
    ignore(
      this.#target.send('Runtime.callFunctionOn', {
        functionDeclaration: `function (json) { globalThis['${this.#secret}'].deliver(json); }`,
        arguments: [{ value: JSON.stringify(message) }],
        executionContextId: context,
      }),
    );
  }

  async #onPageMessage(message: FromPage): Promise<void> {
    const context = this.#context;
    if (message.t === 'port') return this.#ports.get(message.port)?.receive(message.data);
    if (message.t === 'port-close') return this.#ports.get(message.port)?.lost();
    const sending = this.#sending();
    if (message.t === 'invoke') {
      const args = await this.#withPaths(message.args, context);
      const answer = await ipcMain.invoked(message.channel, { ...sending, type: 'frame' }, args);
      return this.#deliver({ t: 'result', id: message.id, ...answer }, context);
    }
    const ports = message.ports.map((number) => {
      const port = new MessagePortMain(number, (answer) => this.#deliver(answer, context));
      this.#ports.set(number, port);
      return port;
    });
    ipcMain.emit(
      message.channel,
      { ...sending, type: 'frame', ports },
      ...(decode(message.args) as unknown[]),
    );
    return undefined;
  }

  /** Replaces the marks that a page received for files by their paths. */
  async #withPaths(args: string, context: number | null): Promise<string> {
    const mark = new RegExp(`"standin-file:${this.#secret}:(\\d+)"`, 'g');
    let filled = args;
    for (const [text, number] of args.matchAll(mark))
      filled = filled.replace(text, JSON.stringify(await this.#pathOf(Number(number), context)));
    return filled;
  }

  async #pathOf(number: number, context: number | null): Promise<string> {
    if (context === null) return '';
    const { result } = await this.#target.send('Runtime.callFunctionOn', {
      functionDeclaration: `function (number) { return globalThis['${this.#secret}'].file(number); }`,
      arguments: [{ value: number }],
      executionContextId: context,
    });
    if (!result.objectId) return '';
    const { path } = await this.#target.send('DOM.getFileInfo', { objectId: result.objectId });
    return path;
  }
}
