import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import type { contract } from '../../shared/contract/contract.ts';

/** What a handler gets beside its input: a signal that aborts when the caller cancels or disconnects. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  /** The calling window, if the host can distinguish its windows. */
  readonly window?: number | undefined;
}

/** The function of one procedure: parsed input, validated output. */
export type Handler<P> =
  P extends ContractProcedure<infer I, infer O, infer _E, infer _M>
    ? (input: InferSchemaOutput<I>, context: CallContext) => Promise<InferSchemaInput<O>>
    : never;

export type ModuleHandlers<R> = { readonly [K in keyof R]: Handler<R[K]> };

/** A procedure without a handler doesn't compile. */
export type Handlers = { readonly [R in keyof typeof contract]: ModuleHandlers<(typeof contract)[R]> };
