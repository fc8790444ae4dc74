import type { ParameterValues } from '../../shared/language/parameters.ts';
import type { Wells } from '../features/wells/wells-state.ts';
import { scopeOf } from '../features/wells/scope.ts';

/**
 * What the parameters of a question stand for now, apart from what is asked for: the chosen wells, and their company
 * where all of them are of one.
 */
export function valuesNow({ store }: Pick<Wells, 'store'>): Omit<ParameterValues, 'asked'> {
  const { chosen, said } = store.getState();
  const companies =
    chosen.length > 0 ? new Set(chosen.map(({ companyId }) => companyId)) : said.ids.companyId;
  const [company = null, ...others] = companies;
  return {
    wells: scopeOf(chosen),
    company: others.length === 0 ? company : null,
    now: Date.now(),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
