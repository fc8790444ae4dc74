import { useLayoutEffect, useRef, type ReactNode, useState } from 'react';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { Empty, Failed, Loading } from '../../../ui/view-states.tsx';
import { uploadWords } from '../../../words/upload.ts';
import { useUploadParts } from '../upload-parts.tsx';
import { WarningList } from '../check/warning-list.tsx';
import { useTab, useTabState, useAppState, useSession } from '../../../contexts.ts';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import { visibleLine } from '../../../../shared/errors/errors.ts';
import { changedList } from '../../../../shared/tabs/tabs.ts';
import {
  readingOfTable,
  type FileFormat,
  type RowPlaces,
  fileExtensions,
} from '../../../../shared/upload/formats.ts';
import { RotateCcw, FileUp, FolderOpen } from 'lucide-react';
import { SelectBox, SelectField } from '../../../ui/select-box.tsx';
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
import { isConverted, transferringFile } from '../upload-state.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Alert } from '../../../ui/alert.tsx';
import { addFiles, openGrantedFiles } from '../open-upload.ts';
import { defaultExceptionShare } from '../../../../shared/upload/null-tokens.ts';
import { readList, writeList } from '../../../../shared/value-lists.ts';
import { ListField } from '../../../ui/list-field.tsx';
import { Section } from '../../../ui/section.tsx';

const detectedId = 'detected';
const headerLines = 15;
const maxFooterRows = 9;
const fileWords = uploadWords.file;
const w = uploadWords.source;

type Options = readonly { readonly id: string; readonly text: string }[];

const lines = (from: number, to: number, kind: RowPlaces['kind']): Options =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    id: String(from + at),
    text: fileWords.line(from + at, kind),
  }));

/** Formats whose header and unit rows a person may have to point out, and which can have footers. */
const withRows: readonly FileFormat[] = ['csv', 'ndjson', 'xlsx', 'xls', 'text'];
const withArrays: readonly FileFormat[] = ['dlis', 'lis'];
const withEncoding: readonly FileFormat[] = ['csv', 'ndjson', 'las', 'text', 'wits0'];

const footerText = (count: number): string => (count === 0 ? fileWords.footNone : String(count));

interface FormatFormProps {
  /** Null: the file can't be read with these options. */
  readonly preview: FilePreview | null;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

function FormatForm({ preview, inspection }: FormatFormProps) {
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const { headerRow = null, unitRow = null, delimiter = null, format = 'csv' } = preview ?? {};
  const isOther = preview !== null && isConverted(preview);
  const kind = preview?.places.kind ?? 'line';
  const set = (option: FormatOption, id?: string) => void actions.read(setFormatOption(reading, option, id));
  const row = (option: FormatOption, label: string, detected: string | null, options: Options) => {
    const isDetected = reading[option] === undefined;
    const text = isDetected && detected !== null ? fileWords.detected(detected) : fileWords.asDetected;
    return (
      <FormatRow label={label} option={option}>
        <SelectBox
          label={label}
          value={isDetected ? detectedId : String(reading[option])}
          options={[{ id: detectedId, text }, ...options]}
          onChange={(id) => set(option, id === detectedId ? undefined : id)}
        />
      </FormatRow>
    );
  };
  // One of several tables is read from its converted copy, which has no delimiter.
  const withoutDelimiter = format === 'ndjson' ? fileWords.jsonLines : null;
  const delimiterText =
    delimiter === '' ? withoutDelimiter : delimiter && (fileWords.delimiters[delimiter] ?? delimiter);
  const lineText = (line: number, none: string) => (line === 0 ? none : fileWords.line(line, kind));
  return (
    <div className="max-text wide stack gap-1">
      {preview && <FileTables preview={preview} inspection={inspection} />}
      {withEncoding.includes(format) &&
        row(
          'encoding',
          fileWords.encoding,
          isOther ? null : (inspection?.encoding ?? preview?.encoding ?? null),
          [...new Set([...encodings, ...(reading.encoding === undefined ? [] : [reading.encoding])])].map(
            (id) => ({ id, text: id }),
          ),
        )}
      {!isOther &&
        row(
          'delimiter',
          fileWords.delimiter,
          delimiterText,
          delimiters.map((id) => ({ id, text: fileWords.delimiters[id] ?? id })),
        )}
      {reading.columnEdges && (
        <FormatRow label={uploadWords.edges.label}>
          <Button variant="quiet" icon={RotateCcw} onPress={() => void actions.setColumnEdges(undefined)}>
            {uploadWords.edges.reset}
          </Button>
        </FormatRow>
      )}
      {withRows.includes(format) && (
        <>
          {row(
            'headerRow',
            fileWords.header,
            headerRow === null ? null : lineText(headerRow, fileWords.noHeader),
            [{ id: '0', text: fileWords.noHeader }, ...lines(1, headerLines, kind)],
          )}
          {row('unitRow', fileWords.units, preview && lineText(unitRow ?? 0, fileWords.noUnits), [
            { id: '0', text: fileWords.noUnits },
            ...lines((headerRow ?? 0) + 1, (headerRow ?? 0) + headerLines, kind),
          ])}
          {row(
            'footerRows',
            fileWords.foot,
            inspection && footerText(inspection.footerRows),
            Array.from({ length: Math.max(maxFooterRows, reading.footerRows ?? 0) + 1 }, (_, count) => ({
              id: String(count),
              text: footerText(count),
            })),
          )}
        </>
      )}
      {format === 'csv' && (
        <>
          {row('shortRows', fileWords.shortRows, null, textsOf(shortRows, fileWords.shortRowActions))}
          {row('hashLines', fileWords.hashLines, null, textsOf(hashLines, fileWords.hashLineKinds))}
          <FormatRow label={fileWords.apostrophes} option="apostrophes">
            <SelectBox
              label={fileWords.apostrophes}
              value={reading.apostrophes ?? 'remove'}
              options={textsOf(apostrophes, fileWords.apostropheActions)}
              onChange={(id) => set('apostrophes', id)}
            />
          </FormatRow>
        </>
      )}
      {withArrays.includes(format) &&
        row('arrays', fileWords.arrays, null, textsOf(arrays, fileWords.arrayKinds))}
      {inspection && (
        <FormatRow label={fileWords.rows}>
          <span className="numbers">
            {fileWords.rowsAndColumns(inspection.rows, inspection.columns.length)}
          </span>
        </FormatRow>
      )}
      {inspection && !isOther && (
        <FormatRow label={fileWords.lines}>{fileWords.newlines[inspection.newline]}</FormatRow>
      )}
    </div>
  );
}

const textsOf = <Id extends string>(ids: readonly Id[], texts: Readonly<Record<Id, string>>) =>
  ids.map((id) => ({ id, text: texts[id] }));

interface FileTablesProps {
  readonly preview: FilePreview;
  /** Null: not inspected yet. */
  readonly inspection: Inspection | null;
}

function FileTables({ preview, inspection }: FileTablesProps) {
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

interface FormatRowProps {
  readonly label: string;
  /** The option that the row's control sets; the control takes the focus when the option is focused. */
  readonly option?: FormatOption;
  readonly children: ReactNode;
}

function FormatRow({ label, option, children }: FormatRowProps) {
  const { actions } = useTab('upload');
  const row = useRef<HTMLDivElement>(null);
  const { focusedOption } = useUploadParts('focusedOption');
  const isFocused = focusedOption !== null && focusedOption === option;
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

export function FileStep() {
  const { actions } = useTab('upload');
  const { preview, inspection } = useUploadParts('preview', 'inspection');
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
      <Section heading={uploadWords.file.reading}>
        <FormatForm
          preview={preview.value}
          inspection={inspection.status === 'loaded' ? inspection.value : null}
        />
        <NullsField />
      </Section>
      <div className="stack gap-4">
        <Section heading={uploadWords.file.warnings}>
          {inspection.status === 'loading' && (
            <Loading what={uploadWords.file.readingAll} onCancel={actions.cancelReading} />
          )}
          {inspection.status === 'idle' && <Empty action={readAgain}>{uploadWords.file.notRead}</Empty>}
          {inspection.status === 'failed' && <Failed error={inspection.error} isInForm onRetry={again} />}
          {inspection.status === 'loaded' && <Warnings inspection={inspection.value} />}
        </Section>
        <FileHeaderCard header={preview.value.header} />
      </div>
    </div>
  );
}

function Warnings({ inspection: { warnings } }: { inspection: Inspection }) {
  if (warnings.length === 0) return <p className="quiet">{uploadWords.file.noWarnings}</p>;
  return <WarningList warnings={warnings} isEditable />;
}

type HeaderEntry = FilePreview['header'][number];

const valueText = ({ value, unit }: HeaderEntry): string =>
  visibleLine(unit === null ? value : `${value} ${unit}`);

/** The header of a file, such as the well section of a LAS file. */
function FileHeaderCard({ header }: Pick<FilePreview, 'header'>) {
  const filled = header.filter(({ value }) => value.trim() !== '');
  if (filled.length === 0) return null;
  return (
    <Section heading={w.header}>
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
    </Section>
  );
}

const types = fileExtensions.map((extension) => `.${extension}`);

/** Opens the system's file dialog, or the browser's where the host has none. */
function ChooseButton({ primary }: { primary: boolean }) {
  const files = useAppState('workspace', (state) => state.files);
  const { actions } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  const session = useSession();
  const button = (
    <Button
      variant={primary ? 'primary' : 'quiet'}
      icon={FolderOpen}
      {...(files === 'dialog'
        ? { onPress: () => void actions.choose().then((more) => openGrantedFiles(session, more, dataset)) }
        : {})}
    >
      {primary ? (
        uploadWords.choose.button
      ) : (
        <span className="upload-another-text">{uploadWords.choose.another}</span>
      )}
    </Button>
  );
  if (files === 'dialog') return button;
  return (
    <FileTrigger
      acceptedFileTypes={types}
      allowsMultiple
      onSelect={(picked) => {
        const [first, ...more] = picked ?? [];
        if (first) void actions.addFile(first);
        if (more.length > 0) addFiles(session, more);
      }}
    >
      {button}
    </FileTrigger>
  );
}

export const OtherFileButton = () => <ChooseButton primary={false} />;

export function FileChooser() {
  const { actions } = useTab('upload');
  const state = useUploadParts('file', 'nextFile');
  const { file } = state;
  const coming = transferringFile(state);
  const isSample = useAppState('connections', ({ current }) => current?.sample === true);
  if (coming)
    return <Loading what={uploadWords.choose.handing(coming.name)} onCancel={actions.cancelReading} />;
  return (
    <div className="pad-3 fill center">
      <div className="upload-target items-center stack gap-3">
        <FileUp className="quiet" size={32} strokeWidth={1.5} aria-hidden />
        <h2>{uploadWords.choose.heading}</h2>
        <p className="quiet">{uploadWords.choose.text}</p>
        {file.status === 'missing' && file.error === null && (
          <Alert tone="warning">{uploadWords.choose.gone(file.file.name)}</Alert>
        )}
        {file.status === 'missing' && file.error !== null && (
          <Failed error={file.error} isInForm onRetry={() => void actions.restoreAgain()} />
        )}
        <ChooseButton primary />
        {isSample && (
          <Button variant="quiet" onPress={() => void actions.addSample()}>
            {uploadWords.choose.sample}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The file is inspected again with the null values, so they are submitted on blur. */
export function NullsField() {
  const { actions } = useTab('upload');
  const nulls = useTabState('upload', (state) => state.choices.nulls);
  const proposedNulls = useTabState('upload', (state) => state.proposedNulls);
  const proposed = proposedNulls.filter((token) => nulls.includes(token));
  const [typed, setTyped] = useState<{ readonly from: readonly string[]; readonly text: string } | null>(
    null,
  );
  const submit = () => {
    if (!typed) return;
    // Null values that came while this was typed stay.
    const next = changedList(nulls, typed.from, readList(typed.text));
    if (writeList(next) !== writeList(nulls)) actions.setNulls(next);
    setTyped(null);
  };
  return (
    <Form className="max-text stack gap-3" onSubmit={submit}>
      <ListField
        label={uploadWords.columns.nulls}
        name="nulls"
        value={typed?.text ?? writeList(nulls)}
        onChange={(text) => setTyped({ from: typed?.from ?? nulls, text })}
        onBlur={submit}
        note={uploadWords.columns.nullsNote}
      />
      {proposed.length > 0 && <p className="quiet">{uploadWords.columns.nullsProposed(proposed)}</p>}
      <TextNulls />
      <ExceptionShareSelect />
    </Form>
  );
}

/** Common null values that are text in this file. */
function TextNulls() {
  const { actions } = useTab('upload');
  const kept = useTabState('upload', (state) => state.choices.keepAsText);
  if (!kept || kept.length === 0) return null;
  return (
    <p className="row wrap">
      <span className="quiet">{uploadWords.columns.keptAsText}</span>
      {kept.map((text) => (
        <Button key={text} onPress={() => actions.treatAsNull(text)}>
          {uploadWords.warnings.takeAsNull(text)}
        </Button>
      ))}
    </p>
  );
}

const shares = [0, 0.001, 0.01, 0.05, 0.1] as const;

/** How many values of another type a column may have before it is text. */
function ExceptionShareSelect() {
  const { actions } = useTab('upload');
  const share = useTabState('upload', (state) => state.choices.exceptionShare ?? defaultExceptionShare);
  return (
    <SelectField
      label={uploadWords.columns.exceptions}
      value={String(share)}
      options={[...new Set([...shares, share])]
        .toSorted((a, b) => a - b)
        .map((option) => ({
          id: String(option),
          text: uploadWords.columns.exceptionShare(option, option === defaultExceptionShare),
        }))}
      onChange={(id) => actions.allowExceptions(Number(id))}
      note={uploadWords.columns.exceptionsNote}
    />
  );
}
