import { quantitiesOf } from '../../../../../shared/channels/units.ts';
import { indexOfFirst } from '../column-index.ts';
import type { SourceColumn, SourceTable } from '../source.ts';
import { splitLine, type Separator } from '../text/split-line.ts';
import { rowFormOf, valuesOf, type RowForm } from './row-form.ts';
import { timeReaderOf } from './time-unit.ts';
import { sectionName } from './section-titles.ts';
import type { DataSection, LasOutline } from './sections.ts';

/** A data section with the parameters for reading its rows. */
export interface LasTable extends SourceTable {
  readonly section: DataSection;
  readonly form: RowForm;
}

const separators: Readonly<Record<string, Separator>> = { COMMA: ',', TAB: '\t', ',': ',', '\t': '\t' };

/** The delimiter of values: that of the header, else blanks; else commas or tabs if these give the number of curves. */
function separatorOf({ sample, definition }: DataSection, { delimiter, isWrapped }: LasOutline): Separator {
  const declared = delimiter === null ? 'blank' : (separators[delimiter] ?? 'blank');
  if (isWrapped) return declared;
  const gives = (separator: Separator): number =>
    sample.filter((line) => splitLine(line, separator).length === definition.length).length;
  const asDeclared = gives(declared);
  const isCertain = delimiter !== null && (asDeclared > 0 || sample.some((line) => line.includes(declared)));
  const other = (['blank', ',', '\t'] as const).find((separator) => gives(separator) > asDeclared);
  return isCertain ? declared : (other ?? declared);
}

/** The names of data sections: a single one is named Log; one that is repeated has the name of its set. */
export function sectionNames(sections: readonly DataSection[]): string[] {
  if (sections.length === 1) return ['Log'];
  const names = sections.map(({ title }) => sectionName(title));
  return sections.map(({ set }, at) => {
    const name = names[at] ?? '';
    const isRepeated = names.indexOf(name) !== names.lastIndexOf(name);
    return isRepeated && set !== '' ? `${name}: ${set}` : name;
  });
}

/** The table of a data section. */
export function tableOf(section: DataSection, outline: LasOutline, name: string): LasTable {
  const defined = definedColumns(section);
  const form = rowFormOf(section.sample, separatorOf(section, outline), defined);
  const columns = columnsOf(section, defined, form, outline.isWrapped);
  return {
    name,
    columns,
    rows: outline.isWrapped ? Math.ceil(section.values / Math.max(1, columns.length)) : section.lines,
    isHidden: false,
    index: indexOfFirst(columns, section.isLog),
    // Values are compared with NULL here, because the index column is known here.
    nulls: [],
    section,
    form,
  };
}

/** Whether a curve is declared as text; with a unit of measure, its values are numbers whatever the declaration says. */
const isText = (format: string | null, unit: string | null): boolean =>
  format !== null && /^A?S$/i.test(format) && (unit === null || quantitiesOf(unit).length === 0);

const definedColumns = ({ definition }: DataSection): SourceColumn[] =>
  definition.map(({ name, unit, description, format }) => ({
    name,
    unit,
    description: description === '' ? null : description,
    type: timeReaderOf(unit)?.hasDate === true ? 'time' : isText(format, unit) ? 'text' : null,
  }));

/** The columns of the definition, else those of the title line (`~A  DEPTH  GR`), else unnamed ones. */
function columnsOf(
  { title, sample }: DataSection,
  defined: SourceColumn[],
  form: RowForm,
  isWrapped: boolean,
): SourceColumn[] {
  const widths = isWrapped ? [] : sample.map((line) => valuesOf(line, form, defined.length).length);
  const width = widths.length > 0 && widths.every((count) => count === widths[0]) ? (widths[0] ?? 0) : 0;
  const inTitle = title.split(/\s+/).slice(1);
  // If some curves have no values, only the title names the others.
  if (width < defined.length && inTitle.length === width && width > 0) {
    const selected = inTitle.flatMap((name) => defined.find((column) => column.name === name) ?? []);
    if (selected.length === width) return selected;
  }
  if (defined.length > 0) return defined;
  const names = inTitle.length === width ? inTitle : [];
  return Array.from({ length: width }, (_, at) => ({
    name: names[at] ?? '',
    unit: null,
    description: null,
    type: null,
  }));
}
