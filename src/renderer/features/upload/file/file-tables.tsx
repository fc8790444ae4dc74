import type { FilePreview } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { words } from '../../../words/words.ts';
import { setFormatOption } from './format-options.ts';
import { FormatRow } from './format-row.tsx';

const w = words.upload.source;

interface FileTablesProps {
  readonly preview: FilePreview;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

/** What selects a table: its name, or its number where another table has that name. */
const tableOption = (tables: FilePreview['tables'], index: number): string => {
  const name = tables[index]?.name ?? '';
  const isUnique =
    tables.filter((table) => table.name.trim().toLowerCase() === name.trim().toLowerCase()).length === 1;
  return isUnique && name !== '' ? name : String(index + 1);
};

/** The format of the file, its tables where it has several, and the index of the one that is read. */
export function FileTables({ preview, inspection }: FileTablesProps) {
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const { format, compression, index, tableNumber } = preview;
  const { tables } = inspection ?? preview;
  const name = w.formats[format];
  return (
    <>
      <FormatRow label={w.format}>{compression ? w.compressed(name, compression) : name}</FormatRow>
      {tables.length > 1 && (
        <FormatRow label={w.table} option="table">
          <OptionGroup
            layout="list"
            label={w.tables(tables.length)}
            value={String(tableNumber)}
            options={tables.map((table, at) => ({ id: String(at + 1), text: w.tableText(table) }))}
            onChange={(number) =>
              void actions.read(
                setFormatOption(
                  // The rows of header, units, and footer are those of one table.
                  reading.encoding === undefined ? {} : { encoding: reading.encoding },
                  'table',
                  tableOption(tables, Number(number) - 1),
                ),
              )
            }
          />
        </FormatRow>
      )}
      {index && (
        <FormatRow label={w.index}>{visibleLine(w.indexText(index.name, index.unit, index.kind))}</FormatRow>
      )}
    </>
  );
}
