import type { calls } from '../../../shared/contract/contract.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Services } from '../wire/services/services.ts';
import { checkFilter } from '../wire/services/checks.ts';
import type { MarkStore } from './marks.ts';
import { resolveNames } from './resolve.ts';

export interface WellsDependencies {
  readonly services: (connectionId: string) => Services;
  readonly marks: MarkStore;
}

/** Handlers for wells and other platform resources (specification, section 4.2). */
export function createWells({ services, marks }: WellsDependencies): ModuleHandlers<(typeof calls)['wells']> {
  return {
    async entities({ connection, resource, filter }, { signal }) {
      return services(connection).platform.pages(resource, checkFilter(resource, filter), { signal });
    },
    resolve: async ({ connection, names }, { signal }) =>
      resolveNames(services(connection).platform, names, { signal }),
    marks: async ({ connection }) => marks.read(connection),
    mark: async ({ connection, marks: change }) => marks.change(connection, change),
  };
}
