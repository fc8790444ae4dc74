import { factorOf, unitOf, unitPair } from '../../../shared/channels/units.ts';
import type { ColumnProposal, FieldMatch } from '../../../shared/upload/proposals.ts';
import { originalHeader } from '../../../shared/upload/rejects-header.ts';
import { matchesHeader } from '../../../shared/upload/template-header.ts';
import type { UploadTemplate } from '../../../shared/upload/templates.ts';
import { withUnitsOfFile } from '../../../shared/upload/units-of-file.ts';
import type { ColumnMapping, Inspection } from '../../../shared/upload/upload.ts';

type InspectedFile = Pick<Inspection, 'columns' | 'table'>;

const unitsOf = ({ columns }: InspectedFile): ReadonlyMap<string, string | null> =>
  new Map(columns.map(({ key, name, unit }) => [key ?? name, unit]));

/** The saved templates for files with this header. */
export function templatesFor(file: InspectedFile, templates: readonly UploadTemplate[]): UploadTemplate[] {
  const header = originalHeader([...unitsOf(file).keys()]);
  return templates.filter(
    (each) => matchesHeader(header, each) && (each.table === undefined || each.table === file.table),
  );
}

/** The proposals with the fields of a template, converted from the units of this file as in an upload. */
export function withTemplate(
  proposals: readonly ColumnProposal[],
  template: UploadTemplate,
  file: InspectedFile,
): ColumnProposal[] {
  const units = unitsOf(file);
  const { mapping } = withUnitsOfFile(template, units);
  return proposals.map((proposal) => {
    const { column } = proposal;
    if (mapping.skip?.includes(column) === true) return { ...proposal, match: null };
    const wanted = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
    return wanted
      ? { ...proposal, match: matchOf(wanted, template.name, units.get(column) ?? null) }
      : proposal;
  });
}

function matchOf({ to, unit, fieldUnit }: ColumnMapping, template: string, own: string | null): FieldMatch {
  const pair = unit !== undefined && fieldUnit !== undefined ? unitPair(unit, fieldUnit) : undefined;
  return {
    field: to,
    why: `template ${template}`,
    confidence: 1,
    unit: pair?.from.symbol ?? unitOf(own ?? '')?.symbol ?? null,
    fieldUnit: pair?.to.symbol ?? null,
    factor: pair && pair.from !== pair.to ? (factorOf(pair.from, pair.to) ?? null) : null,
  };
}
