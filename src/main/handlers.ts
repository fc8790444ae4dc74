import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import type { contract } from '../shared/contract/contract.ts';

/** What a handler gets beside its input: a signal that is aborted when the caller cancels or goes away. */
export interface CallContext {
  readonly signal?: AbortSignal | undefined;
  /** The window that calls, where the host can tell its windows apart. */
  readonly window?: number | undefined;
}

/** The plain function behind one entry of the contract: parsed input in, output that the contract checks out. */
export type Handler<P> =
  P extends ContractProcedure<infer I, infer O, infer _E, infer _M>
    ? (input: InferSchemaOutput<I>, context: CallContext) => Promise<InferSchemaInput<O>>
    : never;

/** The functions behind one room of the contract. */
export type RoomHandlers<R> = { readonly [K in keyof R]: Handler<R[K]> };

/** The functions behind the whole contract. A name without one does not compile. */
export type Handlers = { readonly [R in keyof typeof contract]: RoomHandlers<(typeof contract)[R]> };
