import type { CallContext } from '../handlers.ts';

type Caller<I, O> = (input: I, context: CallContext) => O;

/** What a carrier knows of who calls. */
export type Host = Pick<CallContext, 'window'>;

/** The contract's input and signal, handed to a plain function. */
export const call =
  <I, O>(handler: Caller<I, O>) =>
  ({ input, signal, context }: { input: I; signal?: AbortSignal | undefined; context: Host }): O =>
    handler(input, { signal, window: context.window });
