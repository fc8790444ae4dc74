import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { FilePreview } from '../../../../shared/upload/preview.ts';
import type { Inspection } from '../../../../shared/upload/upload.ts';
import { SelectBox } from '../../../ui/select-box.tsx';
import { words } from '../../../words/words.ts';
import { chooseReading, delimiters, encodings } from './reading-choices.ts';
import type { FileOption } from '../check/warning-fixes.ts';
import { useTab, useTabState } from '../../../state/contexts.ts';

const detected = 'detected';
const headerLines = 15;
const maxFooterRows = 9;
const w = words.upload.file;

type Options = { id: string; text: string }[];

/** The option of what was detected, which names it while it holds. */
const detectedOption = (chosen: boolean, value: string | null): Options[number] => ({
  id: detected,
  text: chosen || value === null ? w.asDetected : w.detected(value),
});

const lines = (from: number, to: number): Options =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => ({
    id: String(from + at),
    text: w.line(from + at),
  }));

const footerText = (count: number): string => (count === 0 ? w.footNone : String(count));

export interface ReadingFormProps {
  /** Null: the file could not be read as it is said here. */
  readonly preview: FilePreview | null;
  /** Null: it has not been read whole yet. */
  readonly inspection: Inspection | null;
}

/** How the file is read; each guess can be corrected, and the preview follows. */
export function ReadingForm({ preview, inspection }: ReadingFormProps) {
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const encoding = inspection?.encoding ?? preview?.encoding ?? null;
  const delimiter = preview?.delimiter ?? null;
  const headerWords = preview && (preview.headerRow === 0 ? w.noHeader : w.line(preview.headerRow));
  const unitWords = preview && (preview.unitRow === null ? w.noUnits : w.line(preview.unitRow));
  const footerWords = inspection && footerText(inspection.footerRows);
  const number = (id: string) => (id === detected ? undefined : Number(id));
  return (
    <div className="reading-form stack gap-1">
      <Row label={w.encoding} option="encoding">
        <SelectBox
          label={w.encoding}
          value={reading.encoding ?? detected}
          options={[
            detectedOption(reading.encoding !== undefined, encoding),
            ...[
              ...new Set([...encodings, ...(reading.encoding === undefined ? [] : [reading.encoding])]),
            ].map((id) => ({ id, text: id })),
          ]}
          onChange={(id) =>
            void actions.read(chooseReading(reading, 'encoding', id === detected ? undefined : id))
          }
        />
      </Row>
      <Row label={w.delimiter} option="delimiter">
        <SelectBox
          label={w.delimiter}
          value={reading.delimiter ?? detected}
          options={[
            detectedOption(
              reading.delimiter !== undefined,
              delimiter === '' ? w.jsonLines : delimiter && (w.delimiters[delimiter] ?? delimiter),
            ),
            ...delimiters.map((id) => ({ id, text: w.delimiters[id] ?? id })),
          ]}
          onChange={(id) =>
            void actions.read(chooseReading(reading, 'delimiter', id === detected ? undefined : id))
          }
        />
      </Row>
      <Row label={w.header} option="headerRow">
        <SelectBox
          label={w.header}
          value={reading.headerRow === undefined ? detected : String(reading.headerRow)}
          options={[
            detectedOption(reading.headerRow !== undefined, headerWords),
            { id: '0', text: w.noHeader },
            ...lines(1, headerLines),
          ]}
          onChange={(id) => void actions.read(chooseReading(reading, 'headerRow', number(id)))}
        />
      </Row>
      <Row label={w.units}>
        <SelectBox
          label={w.units}
          value={reading.unitRow === undefined ? detected : String(reading.unitRow)}
          options={[
            detectedOption(reading.unitRow !== undefined, unitWords),
            { id: '0', text: w.noUnits },
            ...lines((preview?.headerRow ?? 0) + 1, (preview?.headerRow ?? 0) + headerLines),
          ]}
          onChange={(id) => void actions.read(chooseReading(reading, 'unitRow', number(id)))}
        />
      </Row>
      <Row label={w.foot}>
        <SelectBox
          label={w.foot}
          value={reading.footerRows === undefined ? detected : String(reading.footerRows)}
          options={[
            detectedOption(reading.footerRows !== undefined, footerWords),
            ...Array.from({ length: Math.max(maxFooterRows, reading.footerRows ?? 0) + 1 }, (_, count) => ({
              id: String(count),
              text: footerText(count),
            })),
          ]}
          onChange={(id) => void actions.read(chooseReading(reading, 'footerRows', number(id)))}
        />
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

/** @param option what is chosen in its box, which takes the focus when it is gone to */
function Row({ label, option, children }: { label: string; option?: FileOption; children: ReactNode }) {
  const { actions } = useTab('upload');
  const row = useRef<HTMLDivElement>(null);
  const isPointedAt = useTabState(
    'upload',
    ({ pointedOption }) => pointedOption !== null && pointedOption === option,
  );
  useLayoutEffect(() => {
    if (!isPointedAt) return;
    row.current?.querySelector('button')?.focus();
    actions.arrive();
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
