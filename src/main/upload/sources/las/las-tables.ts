import { indexOfFirst } from '../column-index.ts';
import type { SourceColumn, SourceTable } from '../source.ts';
import { splitLine } from '../text/split-line.ts';
import type { Separator } from '../text/split-line.ts';
import { sectionName } from './section-titles.ts';
import type { DataSection, LasOutline } from './sections.ts';

/** A data section with the parameters for reading its rows. */
export interface LasTable extends SourceTable {
  readonly section: DataSection;
  readonly separator: Separator;
}

const separators: Readonly<Record<string, Separator>> = { COMMA: ',', TAB: '\t', ',': ',', '\t': '\t' };

/** The delimiter of values: that of the header, else blanks; else commas or tabs if these give the number of curves. */
function separatorOf({ sample, definition }: DataSection, { delimiter, isWrapped }: LasOutline): Separator {
  if (delimiter !== null) return separators[delimiter] ?? 'blank';
  if (isWrapped) return 'blank';
  const gives = (separator: Separator): number =>
    sample.filter((line) => splitLine(line, separator).length === definition.length).length;
  const byBlanks = gives('blank');
  const other = ([',', '\t'] as const).find((separator) => gives(separator) > byBlanks);
  return other ?? 'blank';
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
  const separator = separatorOf(section, outline);
  const columns = columnsOf(section, separator, outline.isWrapped);
  return {
    name,
    columns,
    rows: outline.isWrapped ? Math.ceil(section.values / Math.max(1, columns.length)) : section.lines,
    isHidden: false,
    index: indexOfFirst(columns, section.isLog),
    // Values are compared with NULL here, because the index column is known here.
    nulls: [],
    section,
    separator,
  };
}

/** The columns of the definition, else those of the title line (`~A  DEPTH  GR`), else unnamed ones. */
function columnsOf(
  { title, definition, sample }: DataSection,
  separator: Separator,
  isWrapped: boolean,
): SourceColumn[] {
  const defined = definition.map(({ name, unit, description, format }): SourceColumn => ({
    name,
    unit,
    description: description === '' ? null : description,
    type: format !== null && /^A?S$/i.test(format) ? 'text' : null,
  }));
  const widths = isWrapped ? [] : sample.map((line) => splitLine(line, separator).length);
  const width = widths.length > 0 && widths.every((count) => count === widths[0]) ? (widths[0] ?? 0) : 0;
  const inTitle = title.split(/\s+/).slice(1);
  // If some curves have no values, only the title tells which.
  if (width < defined.length && inTitle.length === width && width > 0) {
    const selected = inTitle.flatMap((name) => defined.find((each) => each.name === name) ?? []);
    if (selected.length === width) return selected;
  }
  if (defined.length > 0 && width <= defined.length) return defined;
  const names = defined.length === 0 && inTitle.length === width ? inTitle : [];
  return Array.from(
    { length: width },
    (_, at): SourceColumn =>
      defined[at] ?? { name: names[at] ?? '', unit: null, description: null, type: null },
  );
}
