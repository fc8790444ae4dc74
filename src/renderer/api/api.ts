import {
  createORPCClient,
  mapEventIterator,
  type ClientContext,
  type ClientLink,
  ORPCError,
} from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../shared/contract/contract.ts';
import { AppError, appErrorName, fromBody, toAppError } from '../../shared/errors/errors.ts';

export function toClientError(error: unknown): AppError {
  if (error instanceof ORPCError) {
    if (error.code === appErrorName) return fromBody(error.data);
    return new AppError('internal', { problem: error.message }, { cause: error });
  }
  return toAppError(error);
}

/** The error of a call without a link, or whose link was lost before the response. */
export function linkLost(): AppError<'internal'> {
  return new AppError('internal', { problem: 'the window lost its link to the application' });
}

/** All rejections are AppErrors. */
export type Api = ContractRouterClient<typeof contract>;

export type Link = ClientLink<ClientContext>;

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** A link whose errors are AppErrors, also within event streams. */
function withAppErrors(link: Link): Link {
  return {
    async call(path, input, options) {
      try {
        const output = await link.call(path, input, options);
        if (!isAsyncIterator(output)) return output;
        return mapEventIterator(output, {
          value: async (value) => value,
          error: async (error) => toClientError(error),
        });
      } catch (error) {
        // A call that its caller aborted is canceled, whatever the transport reports.
        throw toClientError(options.signal?.aborted ? new DOMException('aborted', 'AbortError') : error);
      }
    },
  };
}

export function createApi(link: Link): Api {
  return createORPCClient(withAppErrors(link));
}

/** An open connection to the application. */
export interface Channel {
  readonly link: Link;
  readonly open: boolean;
  /** Settles when either side closes the channel; never rejects. */
  readonly whenClosed: Promise<void>;
  readonly close: () => void;
}

/** Rejects if the application is unreachable. */
export type OpenChannel = () => Promise<Channel>;
