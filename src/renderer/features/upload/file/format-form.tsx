import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { FileFormat, RowPlaces } from '../../../../shared/upload/formats.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { RotateCcw } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { SelectBox } from '../../../ui/select-box.tsx';
import { uploadWords } from '../../../words/upload.ts';
import {
  apostrophes,
  setFormatOption,
  delimiters,
  encodings,
  hashLines,
  shortRows,
  type FormatOption,
} from './format-options.ts';
import type { FileOption } from '../check/warning-fixes.ts';
import { isConverted } from '../upload-state.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import { visibleLine } from '../../../../shared/errors/visible-text.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { readingOfTable } from '../columns/table-of-files.ts';

const detectedId = 'detected';
const headerLines = 15;
const maxFooterRows = 9;
const w = uploadWords.file;

type Options = readonly { readonly id: string; readonly text: string }[];

const lines = (from: number, to: number, kind: RowPlaces['kind']): Options =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    id: String(from + at),
    text: w.line(from + at, kind),
  }));

/** Formats whose header and unit rows a person may have to point out, and which can have footers. */
const withRows: readonly FileFormat[] = ['csv', 'ndjson', 'xlsx', 'xls', 'text'];
const withEncoding: readonly FileFormat[] = ['csv', 'ndjson', 'las', 'text', 'wits0'];

const footerText = (count: number): string => (count === 0 ? w.footNone : String(count));

export interface FormatFormProps {
  /** Null: the file can't be read with these options. */
  readonly preview: FilePreview | null;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

/** The file format. Each detected option can be corrected; the preview updates. */
export function FormatForm({ preview, inspection }: FormatFormProps) {
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const { headerRow = null, unitRow = null, delimiter = null, format = 'csv' } = preview ?? {};
  const isOther = preview !== null && isConverted(preview);
  const kind = preview?.places.kind ?? 'line';
  const hasRows = withRows.includes(format);
  const footerRows = Math.max(maxFooterRows, reading.footerRows ?? 0);
  const box = (what: FormatOption, label: string, detected: string | null, options: Options) => (
    <SelectBox
      label={label}
      value={reading[what] === undefined ? detectedId : String(reading[what])}
      options={[
        {
          id: detectedId,
          text: reading[what] !== undefined || detected === null ? w.asDetected : w.detected(detected),
        },
        ...options,
      ]}
      onChange={(id) => void actions.read(setFormatOption(reading, what, id === detectedId ? undefined : id))}
    />
  );
  return (
    <div className="reading-form stack gap-1">
      {preview && <FileTables preview={preview} inspection={inspection} />}
      {withEncoding.includes(format) && (
        <FormatRow label={w.encoding} option="encoding">
          {box(
            'encoding',
            w.encoding,
            isOther ? null : (inspection?.encoding ?? preview?.encoding ?? null),
            [...new Set([...encodings, ...(reading.encoding === undefined ? [] : [reading.encoding])])].map(
              (id) => ({ id, text: id }),
            ),
          )}
        </FormatRow>
      )}
      {!isOther && (
        <FormatRow label={w.delimiter} option="delimiter">
          {box(
            'delimiter',
            w.delimiter,
            delimiter === '' ? w.jsonLines : delimiter && (w.delimiters[delimiter] ?? delimiter),
            delimiters.map((id) => ({ id, text: w.delimiters[id] ?? id })),
          )}
        </FormatRow>
      )}
      {reading.columnEdges && (
        <FormatRow label={uploadWords.edges.label}>
          <Button variant="quiet" icon={RotateCcw} onPress={() => void actions.setColumnEdges(undefined)}>
            {uploadWords.edges.reset}
          </Button>
        </FormatRow>
      )}
      {hasRows && (
        <>
          <FormatRow label={w.header} option="headerRow">
            {box(
              'headerRow',
              w.header,
              headerRow === null ? null : headerRow === 0 ? w.noHeader : w.line(headerRow, kind),
              [{ id: '0', text: w.noHeader }, ...lines(1, headerLines, kind)],
            )}
          </FormatRow>
          <FormatRow label={w.units}>
            {box('unitRow', w.units, preview && (unitRow === null ? w.noUnits : w.line(unitRow, kind)), [
              { id: '0', text: w.noUnits },
              ...lines((headerRow ?? 0) + 1, (headerRow ?? 0) + headerLines, kind),
            ])}
          </FormatRow>
          <FormatRow label={w.foot}>
            {box(
              'footerRows',
              w.foot,
              inspection && footerText(inspection.footerRows),
              Array.from({ length: footerRows + 1 }, (_, count) => ({
                id: String(count),
                text: footerText(count),
              })),
            )}
          </FormatRow>
        </>
      )}
      {format === 'csv' && (
        <>
          <FormatRow label={w.shortRows} option="shortRows">
            {box(
              'shortRows',
              w.shortRows,
              null,
              shortRows.map((id) => ({ id, text: w.shortRowActions[id] })),
            )}
          </FormatRow>
          <FormatRow label={w.hashLines} option="hashLines">
            {box(
              'hashLines',
              w.hashLines,
              null,
              hashLines.map((id) => ({ id, text: w.hashLineKinds[id] })),
            )}
          </FormatRow>
          <FormatRow label={w.apostrophes} option="apostrophes">
            <SelectBox
              label={w.apostrophes}
              value={reading.apostrophes ?? 'remove'}
              options={apostrophes.map((id) => ({ id, text: w.apostropheActions[id] }))}
              onChange={(id) => void actions.read(setFormatOption(reading, 'apostrophes', id))}
            />
          </FormatRow>
        </>
      )}
      {inspection && (
        <>
          <FormatRow label={w.rows}>
            <span className="numbers">{w.rowsAndColumns(inspection.rows, inspection.columns.length)}</span>
          </FormatRow>
          {!isOther && <FormatRow label={w.lines}>{w.newlines[inspection.newline]}</FormatRow>}
        </>
      )}
    </div>
  );
}

interface FileTablesProps {
  readonly preview: FilePreview;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

/** The format of the file, its tables where it has several, and the index of the one that is read. */
function FileTables({ preview, inspection }: FileTablesProps) {
  const sourceWords = uploadWords.source;
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const { format, compression, index, tableNumber } = preview;
  const { tables } = inspection ?? preview;
  const name = sourceWords.formats[format];
  return (
    <>
      <FormatRow label={sourceWords.format}>
        {compression ? sourceWords.compressed(name, compression) : name}
      </FormatRow>
      {tables.length > 1 && (
        <FormatRow label={sourceWords.table} option="table">
          <OptionGroup
            layout="list"
            label={sourceWords.tables(tables.length)}
            value={String(tableNumber)}
            options={tables.map((table, at) => ({ id: String(at + 1), text: sourceWords.tableText(table) }))}
            onChange={(number) => void actions.read(readingOfTable(tables, Number(number), reading))}
          />
        </FormatRow>
      )}
      {index && (
        <FormatRow label={sourceWords.index}>
          {visibleLine(sourceWords.indexText(index.name, index.unit, index.kind))}
        </FormatRow>
      )}
    </>
  );
}

interface FormatRowProps {
  readonly label: string;
  /** The option that the row's control sets; the control takes the focus when the option is focused. */
  readonly option?: FileOption;
  readonly children: ReactNode;
}

/** A row of the file format: what it says, and its value or a control for it. */
function FormatRow({ label, option, children }: FormatRowProps) {
  const { actions } = useTab('upload');
  const row = useRef<HTMLDivElement>(null);
  const isFocused = useTabState(
    'upload',
    ({ focusedOption }) => focusedOption !== null && focusedOption === option,
  );
  useLayoutEffect(() => {
    if (!isFocused) return;
    row.current?.querySelector<HTMLElement>('button, input')?.focus();
    actions.clearFocus();
  }, [isFocused, actions]);
  return (
    <div className="reading-row" ref={row}>
      <span className="quiet" aria-hidden={typeof children === 'string' ? undefined : true}>
        {label}
      </span>
      <span>{children}</span>
    </div>
  );
}
