import { datasetTypes } from '../../shared/datasets/datasets.ts';
import type { JsonValue } from '../../shared/json.ts';
import { companyName } from '../platform/resource.ts';
import type { Answer, Call } from '../service.ts';
import { knownDataset } from './access.ts';
import { definition, canSee } from './dataset.ts';

/** `GET /api/v1/dataset/`: the definitions that are visible to the sender (specification, section 4.1). */
export function listDatasets({ service, identity, params }: Call): Answer {
  const search = (params.text('search') ?? '').toLowerCase();
  const plottable = params.flag('plottable');
  const temporary = params.flag('temporary');
  const found = [...service.catalogue.all.values()].filter(
    (dataset) =>
      canSee(identity, dataset) &&
      dataset.name.toLowerCase().includes(search) &&
      (plottable === undefined || dataset.plottable === plottable) &&
      (temporary === undefined || dataset.temporary === temporary),
  );
  return { status: 200, body: JSON.stringify(found.map((dataset) => definition(dataset, false))) };
}

/** `GET /api/v1/dataset/company/`: the datasets by company name. */
export function listByCompany({ service, identity, params }: Call): Answer {
  const type = params.word('type', datasetTypes);
  const plottable = params.flag('plottable');
  const byCompany: Record<string, JsonValue[]> = {};
  for (const dataset of service.catalogue.all.values()) {
    if (!canSee(identity, dataset)) continue;
    if (type !== undefined && dataset.type !== type) continue;
    if (plottable !== undefined && dataset.plottable !== plottable) continue;
    const list = (byCompany[companyName(service.world, dataset.companyId)] ??= []);
    list.push({ id: dataset.id, provider: dataset.provider, name: dataset.name, type: dataset.type });
  }
  return { status: 200, body: JSON.stringify(byCompany) };
}

/** `GET /api/v1/dataset/{provider}/{name}/`: one definition, with its indexes and statistics. */
export function singleDataset({ service, identity }: Call, provider: string, name: string): Answer {
  const dataset = knownDataset(service.catalogue.all, identity, provider, name);
  return { status: 200, body: JSON.stringify(definition(dataset, true)) };
}
