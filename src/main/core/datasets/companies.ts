import type { Company } from '../../../shared/contract/catalogue.ts';
import type { CallOptions, DataService } from '../wire/services/services.ts';

/**
 * The companies by name. No endpoint lists them: the company listing has names and datasets, a definition has
 * its company's id, and both are joined by the dataset's id (specification, section 2.2).
 * @throws AppError of the data service
 */
export async function listCompanies(data: DataService, options: CallOptions): Promise<Company[]> {
  const [listed, definitions] = await Promise.all([
    data.companyDatasets(options),
    data.datasets({}, options),
  ]);
  const ownerOf = new Map(definitions.map(({ id, companyId }) => [id, companyId]));
  const names = new Map<number, Map<string, number>>();
  for (const { id, company } of listed) {
    const owner = id === null ? null : (ownerOf.get(id) ?? null);
    if (owner === null) continue;
    const counts = names.get(owner) ?? new Map<string, number>();
    names.set(owner, counts.set(company, (counts.get(company) ?? 0) + 1));
  }
  // A dataset can be listed under companies that it is shared with; the most frequent name wins.
  return [...names].map(([id, counts]) => ({
    id,
    name: [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? String(id),
  }));
}
