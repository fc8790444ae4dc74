import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';

/** Where single definitions come from. */
export interface DefinitionSource {
  readonly catalogue: Pick<Api['catalogue'], 'dataset'>;
}

/**
 * What is said of one dataset: as it was kept, then as the service has it, where that is something else.
 * @throws AppError what the service throws, behind what was kept
 */
export async function* singleDefinition(
  { catalogue }: DefinitionSource,
  { connection, provider, dataset }: DatasetAddress & { readonly connection: string },
  signal?: AbortSignal,
): AsyncGenerator<Dataset> {
  const options = signal ? { signal } : {};
  for await (const event of await catalogue.dataset({ connection, provider, dataset }, options)) {
    if (signal?.aborted) return;
    if (event.kind === 'items') yield* event.items;
  }
}
