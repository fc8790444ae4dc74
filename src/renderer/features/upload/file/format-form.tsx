import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { SelectBox } from '../../../ui/select-box.tsx';
import { words } from '../../../words/words.ts';
import { setFormatOption, delimiters, encodings, type FormatOption } from './format-options.ts';
import type { FileOption } from '../check/warning-fixes.ts';
import { useTab, useTabState } from '../../../state/contexts.ts';

const detectedId = 'detected';
const headerLines = 15;
const maxFooterRows = 9;
const w = words.upload.file;

type Options = { id: string; text: string }[];

const lines = (from: number, to: number): Options =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    id: String(from + at),
    text: w.line(from + at),
  }));

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
  const { headerRow = null, unitRow = null } = preview ?? {};
  const { delimiter = null } = preview ?? {};
  const footerRows = Math.max(maxFooterRows, reading.footerRows ?? 0);
  const box = (what: FormatOption, label: string, found: string | null, options: Options) => (
    <SelectBox
      label={label}
      value={reading[what] === undefined ? detectedId : String(reading[what])}
      options={[
        {
          id: detectedId,
          text: reading[what] !== undefined || found === null ? w.asDetected : w.detected(found),
        },
        ...options,
      ]}
      onChange={(id) => void actions.read(setFormatOption(reading, what, id === detectedId ? undefined : id))}
    />
  );
  return (
    <div className="reading-form stack gap-1">
      <Row label={w.encoding} option="encoding">
        {box(
          'encoding',
          w.encoding,
          inspection?.encoding ?? preview?.encoding ?? null,
          [...new Set([...encodings, ...(reading.encoding === undefined ? [] : [reading.encoding])])].map(
            (id) => ({ id, text: id }),
          ),
        )}
      </Row>
      <Row label={w.delimiter} option="delimiter">
        {box(
          'delimiter',
          w.delimiter,
          delimiter === '' ? w.jsonLines : delimiter && (w.delimiters[delimiter] ?? delimiter),
          delimiters.map((id) => ({ id, text: w.delimiters[id] ?? id })),
        )}
      </Row>
      <Row label={w.header} option="headerRow">
        {box(
          'headerRow',
          w.header,
          headerRow === null ? null : headerRow === 0 ? w.noHeader : w.line(headerRow),
          [{ id: '0', text: w.noHeader }, ...lines(1, headerLines)],
        )}
      </Row>
      <Row label={w.units}>
        {box('unitRow', w.units, preview && (unitRow === null ? w.noUnits : w.line(unitRow)), [
          { id: '0', text: w.noUnits },
          ...lines((headerRow ?? 0) + 1, (headerRow ?? 0) + headerLines),
        ])}
      </Row>
      <Row label={w.foot}>
        {box(
          'footerRows',
          w.foot,
          inspection && footerText(inspection.footerRows),
          Array.from({ length: footerRows + 1 }, (_, count) => ({
            id: String(count),
            text: footerText(count),
          })),
        )}
      </Row>
      {inspection && (
        <>
          <Row label={w.rows}>
            <span className="numbers">{w.rowsAndColumns(inspection.rows, inspection.columns.length)}</span>
          </Row>
          <Row label={w.lines}>{w.newlines[inspection.newline]}</Row>
        </>
      )}
    </div>
  );
}

/**
 * @param option the option that the row's control sets; the control takes the focus when the option is
 *   focused
 */
function Row({ label, option, children }: { label: string; option?: FileOption; children: ReactNode }) {
  const { actions } = useTab('upload');
  const row = useRef<HTMLDivElement>(null);
  const isPointedAt = useTabState(
    'upload',
    ({ focusedOption }) => focusedOption !== null && focusedOption === option,
  );
  useLayoutEffect(() => {
    if (!isPointedAt) return;
    row.current?.querySelector('button')?.focus();
    actions.clearFocus();
  }, [isPointedAt, actions]);
  return (
    <div className="reading-row" ref={row}>
      <span className="quiet" aria-hidden={typeof children === 'string' ? undefined : true}>
        {label}
      </span>
      <span>{children}</span>
    </div>
  );
}
