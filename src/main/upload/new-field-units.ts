import { quantitiesOf } from '../../shared/channels/units.ts';
import { readFields } from '../datasets/fields/fields.ts';
import type { DataService } from '../services/services.ts';
import type { UploadPlan } from './model/plan.ts';

/**
 * The units in which an upload stores fields that the dataset doesn't have yet, by path: later nothing but the file tells
 * them. Units of fields with records aren't known from one file.
 * @returns none if the fields of the dataset can't be read
 */
export async function unitsOfNewFields(
  { address, rules, layout }: Pick<UploadPlan, 'address' | 'rules' | 'layout'>,
  data: DataService,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, string>>> {
  const units = rules.columns.flatMap(({ index, path, conversion }) => {
    const isNumber = conversion.kind === 'number' || conversion.kind === 'integer';
    const unit = isNumber ? (conversion.units?.to ?? layout.columns[index]?.unit?.trim()) : null;
    return unit && quantitiesOf(unit).length > 0 ? [[path.join('.'), unit] as const] : [];
  });
  if (units.length === 0) return {};
  const request = { ...address, assets: [], companies: [] };
  const found = await readFields(data, request, signal).catch(() => null);
  if (!found) return {};
  const existing = new Set(
    found.fields.flatMap(({ path, unit, range, example }) =>
      unit === undefined && range === undefined && example === undefined ? [] : [path],
    ),
  );
  return Object.fromEntries(units.filter(([path]) => !existing.has(path)));
}
