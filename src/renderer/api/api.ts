import { createORPCClient, mapEventIterator, type ClientContext, type ClientLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../shared/contract/contract.ts';
import { fromWire } from './errors.ts';

/** Every call and event of the contract; each rejection is an AppError. */
export type Api = ContractRouterClient<typeof contract>;

/** What carries calls to the application and answers back. */
export type Link = ClientLink<ClientContext>;

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** A link whose failures, also those inside a running event stream, are AppErrors. */
function withAppErrors(link: Link): Link {
  return {
    async call(path, input, options) {
      try {
        const output = await link.call(path, input, options);
        if (!isAsyncIterator(output)) return output;
        return mapEventIterator(output, {
          value: async (value) => value,
          error: async (error) => fromWire(error),
        });
      } catch (error) {
        // A call that its own caller gave up is a cancel, whatever the carrier made of it.
        throw fromWire(options.signal?.aborted ? new DOMException('aborted', 'AbortError') : error);
      }
    },
  };
}

/** The typed client of the contract over a link. */
export function createApi(link: Link): Api {
  return createORPCClient(withAppErrors(link));
}
