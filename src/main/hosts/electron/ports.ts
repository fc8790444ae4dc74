import { RPCHandler } from '@orpc/server/message-port';
import { channels } from '../../../shared/bridge.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import { gates } from '../../dispatch.ts';
import type { AppRouter } from '../../dispatch.ts';
import { isFrame } from '../frames.ts';
import type { Message } from './sender.ts';
import { senderInWords } from './sender.ts';

/** What is used of Electron's MessagePortMain. */
export interface Port {
  on(event: 'message', listener: (message: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(data: unknown): void;
  start(): void;
  close(): void;
}

export interface Connecting extends Message {
  readonly ports: readonly Port[];
}

export interface PortOptions {
  /** Electron's ipcMain. */
  readonly ipc: { on(channel: string, listener: (message: Connecting) => void): unknown };
  readonly isOwn: (message: Message) => boolean;
  readonly router: AppRouter;
  readonly onFault: (error: AppError) => void;
  readonly log: (sentence: string) => void;
}

/** The port as the RPC handler sees it: only frames of the right form get through, another one ends the port. */
function filtered(port: Port, log: PortOptions['log']) {
  const onClose: (() => void)[] = [];
  let open = true;
  const ended = (): void => {
    if (!open) return;
    open = false;
    for (const listener of onClose) listener();
  };
  port.on('close', ended);
  return {
    on(event: string, listener: (message?: { data: unknown }) => void): void {
      if (event === 'close') onClose.push(listener);
      if (event !== 'message') return;
      port.on('message', (message) => {
        if (!open) return;
        if (isFrame(message.data)) return listener({ data: message.data });
        log('A window sent a message of unknown form; its port is closed.');
        port.close();
        // A port hears the other side's close, not its own.
        return ended();
      });
    },
    postMessage(data: unknown): void {
      if (open) port.postMessage(data);
    },
  };
}

/**
 * Carries calls, cancels and streams of our windows over message ports. A window asks with one port; anybody else is
 * refused, and what they brought is closed.
 */
export function acceptPorts({ ipc, isOwn, router, onFault, log }: PortOptions): void {
  const handler = new RPCHandler(router, gates(onFault));
  ipc.on(channels.connect, (message) => {
    const [port] = message.ports;
    if (!port || message.ports.length !== 1 || !isOwn(message)) {
      log(`A foreign sender was refused: ${senderInWords(message)}.`);
      for (const foreign of message.ports) foreign.close();
      return;
    }
    handler.upgrade(filtered(port, log), { context: { window: message.sender.id } });
    port.start();
  });
}
