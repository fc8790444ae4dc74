import { createORPCClient, mapEventIterator, type ClientContext, type ClientLink } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../shared/contract/contract.ts';
import { toClientError } from './errors.ts';

/** The contract's calls and events. All rejections are AppErrors. */
export type Api = ContractRouterClient<typeof contract>;

/** The transport of calls and responses. */
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
