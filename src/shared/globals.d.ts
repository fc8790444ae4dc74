// Globals that pages and Node share, for this folder only; other folders have their own library's types.
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
interface AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}
declare const AbortController: new () => AbortController;
interface MessagePort {
  postMessage(message: unknown, transfer: (ArrayBuffer | MessagePort)[]): void;
}
