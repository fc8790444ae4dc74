import { pathNames } from '../../../../shared/column-paths.ts';
import { hasNumbers, type DatasetField } from '../../../../shared/datasets/fields.ts';
import type { Filter } from '../../../../shared/language/text/filters.ts';
import { isRigState } from '../../live/rig-state.ts';

/** What a rig does, as the texts of its states say it. */
const states = {
  onBottom: /\bdrill|\bon.?bottom|\bsliding\b/i,
  rotating: /\brotar|\brotat/i,
  inSlips: /\bslips?\b/i,
} as const;
export type QuickFilterId = keyof typeof states;

/** The rate, in turns a minute, from which a string rotates. */
const minRpm = 10;
const rotaryRpm = 'rotary_rpm';

interface QuickFilter {
  readonly id: QuickFilterId;
  readonly filter: Filter;
}

const nameOf = ({ path }: DatasetField): string => pathNames(path).at(-1) ?? path;

/** The filters by what the rig does that a dataset can have: by its states, or else by the rotary RPM. */
export function quickFilters(fields: readonly DatasetField[]): readonly QuickFilter[] {
  const state = fields.find((field) => isRigState(nameOf(field)) && (field.values?.length ?? 0) > 1);
  const rpm = fields.find((field) => nameOf(field) === rotaryRpm && hasNumbers(field));
  return (Object.keys(states) as QuickFilterId[]).flatMap((id): QuickFilter[] => {
    const values = state?.values?.filter((value) => states[id].test(value)) ?? [];
    if (state && values.length > 0)
      return [{ id, filter: { path: state.path, operator: values.length === 1 ? 'is' : 'oneOf', values } }];
    return id === 'rotating' && rpm
      ? [{ id, filter: { path: rpm.path, operator: 'above', values: [minRpm] } }]
      : [];
  });
}
