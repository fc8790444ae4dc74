import { EventEmitter } from 'node:events';
import { decode, encode } from './codec.ts';
import type { ToPage } from './world/preload.ts';

/** Electron's MessagePortMain, whose other end is in a page. Messages wait until it is started. */
export class MessagePortMain extends EventEmitter {
  readonly #number: number;
  readonly #deliver: (message: ToPage) => void;
  #early: unknown[] | null = [];
  #open = true;

  constructor(number: number, deliver: (message: ToPage) => void) {
    super();
    this.#number = number;
    this.#deliver = deliver;
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.some((part) => !(part instanceof MessagePortMain)))
      throw new TypeError('Invalid value for transfer');
    if (transfer.length > 0) throw new Error('The stand-in hands no port on.');
    const data = encode(message);
    if (this.#open) this.#deliver({ t: 'port', port: this.#number, data });
  }

  start(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const data of early) this.emit('message', { data, ports: [] });
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#deliver({ t: 'port-close', port: this.#number });
  }

  /** The stand-in's own: a message arrived from the page. */
  receive(text: string): void {
    if (!this.#open) return;
    const data = decode(text);
    if (this.#early) this.#early.push(data);
    else this.emit('message', { data, ports: [] });
  }

  /** The stand-in's own: the other end is closed. */
  lost(): void {
    if (!this.#open) return;
    this.#open = false;
    this.emit('close');
  }
}
