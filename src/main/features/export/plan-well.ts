import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { invalidInput, isAppError } from '../../../shared/errors/errors.ts';
import { readScope } from '../../../shared/language/text/scope.ts';
import type { CallOptions, PlatformService } from '../../core/wire/services/services.ts';
import { toWell } from '../../core/wells/well.ts';

/**
 * The well of a LAS file, for its header; empty if the user may not read it.
 * @throws AppError `invalid_input` if the dataset has no depths or the query isn't for one well; errors of the platform
 *   service
 */
export async function planWell(
  platform: Pick<PlatformService, 'list'>,
  { query, type }: { readonly query: string; readonly type: DatasetType | null },
  options: CallOptions,
): Promise<Record<string, string>> {
  if (type !== 'depth' && type !== null)
    throw invalidInput(
      `LAS files have a row for each depth, but this is a ${type} dataset. Select another format.`,
      {
        field: 'format',
      },
    );
  const scope = readScope(query, 'asset_id');
  const [assetId, ...others] = scope.kind === 'ids' ? scope.ids : [];
  if (assetId === undefined || others.length > 0)
    throw invalidInput('A LAS file has one log of one well. Filter by one asset_id.', { field: 'query' });
  try {
    const entities = await platform.list('wells', { asset_id: [assetId] }, options);
    const entity = entities.find((found) => toWell(found).assetId === assetId);
    if (!entity) return {};
    const { name, apiNumber, area, position } = toWell(entity);
    const { company_name: company } = entity.attributes;
    return {
      name,
      api: apiNumber ?? '',
      field: area ?? '',
      location: position ? `${position[1]} ${position[0]} latitude longitude` : '',
      company: typeof company === 'string' ? company : '',
    };
  } catch (error) {
    if (isAppError(error, 'forbidden') || isAppError(error, 'not_found')) return {};
    throw error;
  }
}
