import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { useUploadParts } from '../upload-parts.tsx';
import { OtherFileButton } from './file-chooser.tsx';
import { NullsField } from './nulls-field.tsx';
import { WarningList } from '../check/warning-list.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { visibleLine } from '../../../../shared/errors/errors.ts';
import { readingOfTable, type FileFormat, type RowPlaces } from '../../../../shared/upload/formats.ts';
import { RotateCcw } from 'lucide-react';
import { SelectBox } from '../../../ui/select-box.tsx';
import {
  apostrophes,
  arrays,
  setFormatOption,
  delimiters,
  encodings,
  hashLines,
  shortRows,
  type FormatOption,
} from './format-options.ts';
import type { FileOption } from '../check/findings.ts';
import { isConverted } from '../upload-state.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';

const detectedId = 'detected';
const headerLines = 15;
const maxFooterRows = 9;
const formatFormW = uploadWords.file;

type Options = readonly { readonly id: string; readonly text: string }[];

const lines = (from: number, to: number, kind: RowPlaces['kind']): Options =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    id: String(from + at),
    text: formatFormW.line(from + at, kind),
  }));

/** Formats whose header and unit rows a person may have to point out, and which can have footers. */
const withRows: readonly FileFormat[] = ['csv', 'ndjson', 'xlsx', 'xls', 'text'];
const withArrays: readonly FileFormat[] = ['dlis', 'lis'];
const withEncoding: readonly FileFormat[] = ['csv', 'ndjson', 'las', 'text', 'wits0'];

const footerText = (count: number): string => (count === 0 ? formatFormW.footNone : String(count));

interface FormatFormProps {
  /** Null: the file can't be read with these options. */
  readonly preview: FilePreview | null;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

/** The file format. Each detected option can be corrected; the preview updates. */
function FormatForm({ preview, inspection }: FormatFormProps) {
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
          text:
            reading[what] !== undefined || detected === null
              ? formatFormW.asDetected
              : formatFormW.detected(detected),
        },
        ...options,
      ]}
      onChange={(id) => void actions.read(setFormatOption(reading, what, id === detectedId ? undefined : id))}
    />
  );
  const choice = <Id extends string>(
    option: FormatOption & FileOption,
    label: string,
    ids: readonly Id[],
    texts: Readonly<Record<Id, string>>,
  ) => (
    <FormatRow label={label} option={option}>
      {box(
        option,
        label,
        null,
        ids.map((id) => ({ id, text: texts[id] })),
      )}
    </FormatRow>
  );
  return (
    <div className="max-text wide stack gap-1">
      {preview && <FileTables preview={preview} inspection={inspection} />}
      {withEncoding.includes(format) && (
        <FormatRow label={formatFormW.encoding} option="encoding">
          {box(
            'encoding',
            formatFormW.encoding,
            isOther ? null : (inspection?.encoding ?? preview?.encoding ?? null),
            [...new Set([...encodings, ...(reading.encoding === undefined ? [] : [reading.encoding])])].map(
              (id) => ({ id, text: id }),
            ),
          )}
        </FormatRow>
      )}
      {!isOther && (
        <FormatRow label={formatFormW.delimiter} option="delimiter">
          {box(
            'delimiter',
            formatFormW.delimiter,
            delimiter === ''
              ? formatFormW.jsonLines
              : delimiter && (formatFormW.delimiters[delimiter] ?? delimiter),
            delimiters.map((id) => ({ id, text: formatFormW.delimiters[id] ?? id })),
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
          <FormatRow label={formatFormW.header} option="headerRow">
            {box(
              'headerRow',
              formatFormW.header,
              headerRow === null
                ? null
                : headerRow === 0
                  ? formatFormW.noHeader
                  : formatFormW.line(headerRow, kind),
              [{ id: '0', text: formatFormW.noHeader }, ...lines(1, headerLines, kind)],
            )}
          </FormatRow>
          <FormatRow label={formatFormW.units}>
            {box(
              'unitRow',
              formatFormW.units,
              preview && (unitRow === null ? formatFormW.noUnits : formatFormW.line(unitRow, kind)),
              [
                { id: '0', text: formatFormW.noUnits },
                ...lines((headerRow ?? 0) + 1, (headerRow ?? 0) + headerLines, kind),
              ],
            )}
          </FormatRow>
          <FormatRow label={formatFormW.foot}>
            {box(
              'footerRows',
              formatFormW.foot,
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
          {choice('shortRows', formatFormW.shortRows, shortRows, formatFormW.shortRowActions)}
          {choice('hashLines', formatFormW.hashLines, hashLines, formatFormW.hashLineKinds)}
          <FormatRow label={formatFormW.apostrophes} option="apostrophes">
            <SelectBox
              label={formatFormW.apostrophes}
              value={reading.apostrophes ?? 'remove'}
              options={apostrophes.map((id) => ({ id, text: formatFormW.apostropheActions[id] }))}
              onChange={(id) => void actions.read(setFormatOption(reading, 'apostrophes', id))}
            />
          </FormatRow>
        </>
      )}
      {withArrays.includes(format) && choice('arrays', formatFormW.arrays, arrays, formatFormW.arrayKinds)}
      {inspection && (
        <>
          <FormatRow label={formatFormW.rows}>
            <span className="numbers">
              {formatFormW.rowsAndColumns(inspection.rows, inspection.columns.length)}
            </span>
          </FormatRow>
          {!isOther && (
            <FormatRow label={formatFormW.lines}>{formatFormW.newlines[inspection.newline]}</FormatRow>
          )}
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
    <div className="reading-row gap-2 items-center" ref={row}>
      <span className="quiet" aria-hidden={typeof children === 'string' ? undefined : true}>
        {label}
      </span>
      <span>{children}</span>
    </div>
  );
}

/** The detected file format, its warnings, and controls to correct it. */
export function FileStep() {
  const warningsId = useId();
  const readingId = useId();
  const { actions } = useTab('upload');
  const { preview, inspection } = useUploadParts(({ preview, inspection }) => ({ preview, inspection }));
  const again = () => void actions.readAgain();
  const readAgain = <Button onPress={again}>{uploadWords.file.readAgain}</Button>;
  if (preview.status === 'loading')
    return <Loading what={uploadWords.file.readingStart} onCancel={actions.cancelReading} />;
  if (preview.status === 'idle') return <Empty action={readAgain}>{uploadWords.file.notRead}</Empty>;
  if (preview.status === 'failed')
    return (
      <div className="upload-refused pad-3 stack gap-3">
        {/* A file that isn't a table doesn't become one on retry. */}
        <Failed
          error={preview.error}
          isInForm
          {...(preview.error.is('file_unsuitable') ? {} : { onRetry: again })}
        />
        <OtherFileButton />
        <FormatForm preview={null} inspection={null} />
      </div>
    );
  return (
    <div className="upload-step stack gap-4 full pad-3 scroll file-step gap-6 items-start">
      <section aria-labelledby={readingId}>
        <h2 id={readingId}>{uploadWords.file.reading}</h2>
        <FormatForm
          preview={preview.value}
          inspection={inspection.status === 'loaded' ? inspection.value : null}
        />
        <NullsField />
      </section>
      <div className="stack gap-4">
        <section aria-labelledby={warningsId}>
          <h2 id={warningsId}>{uploadWords.file.warnings}</h2>
          {inspection.status === 'loading' && (
            <Loading what={uploadWords.file.readingAll} onCancel={actions.cancelReading} />
          )}
          {inspection.status === 'idle' && <Empty action={readAgain}>{uploadWords.file.notRead}</Empty>}
          {inspection.status === 'failed' && <Failed error={inspection.error} isInForm onRetry={again} />}
          {inspection.status === 'loaded' && <Warnings inspection={inspection.value} />}
        </section>
        <FileHeaderCard header={preview.value.header} />
      </div>
    </div>
  );
}

function Warnings({ inspection: { warnings } }: { inspection: Inspection }) {
  if (warnings.length === 0) return <p className="quiet">{uploadWords.file.noWarnings}</p>;
  return <WarningList warnings={warnings} isEditable />;
}

const w = uploadWords.source;

type HeaderEntry = FilePreview['header'][number];

const valueText = ({ value, unit }: HeaderEntry): string =>
  visibleLine(unit === null ? value : `${value} ${unit}`);

/** The header of a file, such as the well section of a LAS file. Groups after the second are closed at first. */
function FileHeaderCard({ header }: Pick<FilePreview, 'header'>) {
  const fileHeaderId = useId();
  const filled = header.filter(({ value }) => value.trim() !== '');
  if (filled.length === 0) return null;
  return (
    <section aria-labelledby={fileHeaderId}>
      <h2 id={fileHeaderId}>{w.header}</h2>
      {[...Map.groupBy(filled, ({ group }) => group)].map(([group, entries], at) => (
        <details key={group} open={at < 2}>
          <summary className="bold">{visibleLine(group)}</summary>
          <table className="table small">
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{w.headerName}</th>
                <th scope="col">{w.headerValue}</th>
                <th scope="col">{w.headerDescription}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry, row) => (
                <tr key={`${entry.name} ${row}`}>
                  <th scope="row" className="mono">
                    {visibleLine(entry.name)}
                  </th>
                  <td>{valueText(entry)}</td>
                  <td className="quiet">{visibleLine(entry.description ?? '')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      ))}
    </section>
  );
}
