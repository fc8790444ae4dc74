// What pages and Node have in common beyond the language, for this folder only: the others have their own library's types.
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
