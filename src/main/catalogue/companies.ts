import type { Company } from '../../shared/catalogue/catalogue.ts';
import type { CallOptions, DataService } from '../services/services.ts';

/**
 * The companies by name. No endpoint lists them: the company listing knows names and datasets, a definition knows its
 * dataset's company, and the two meet in the id of the dataset (specification, section 2.2).
 */
export async function companiesOf(data: DataService, options: CallOptions): Promise<Company[]> {
  const [listed, definitions] = await Promise.all([
    data.companyDatasets({}, options),
    data.datasets({}, options),
  ]);
  const ownerOf = new Map(definitions.map(({ id, companyId }) => [id, companyId]));
  const names = new Map<number, Map<string, number>>();
  for (const { id, company } of listed) {
    const owner = id === null ? null : (ownerOf.get(id) ?? null);
    if (owner === null) continue;
    const said = names.get(owner) ?? new Map<string, number>();
    names.set(owner, said.set(company, (said.get(company) ?? 0) + 1));
  }
  // A dataset can be listed under a company that it is only shared with: the name that most of them stand under is it.
  return [...names].map(([id, said]) => ({
    id,
    name: [...said].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? String(id),
  }));
}
