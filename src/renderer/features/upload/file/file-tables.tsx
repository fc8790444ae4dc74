import type { FilePreview } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { words } from '../../../words/words.ts';
import { readingOfTable } from '../columns/table-of-files.ts';
import { FormatRow } from './format-row.tsx';

const w = words.upload.source;

interface FileTablesProps {
  readonly preview: FilePreview;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

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
            onChange={(number) => void actions.read(readingOfTable(tables, Number(number), reading))}
          />
        </FormatRow>
      )}
      {index && (
        <FormatRow label={w.index}>{visibleLine(w.indexText(index.name, index.unit, index.kind))}</FormatRow>
      )}
    </>
  );
}
