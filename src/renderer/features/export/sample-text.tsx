import { useEffect, useState } from 'react';
import type { ExportOptions } from '../../../shared/export/export.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { useApp, useSessionState } from '../../contexts.ts';
import type { WellIndex } from '../wells/well-index.ts';
import { listedWells } from '../wells/wells-state.ts';
import { words } from '../../words/words.ts';

export interface SampleTextProps {
  /** The first records of the result as a JSON array; null: there are none. */
  readonly records: () => Promise<string | null>;
  /** Empty: all. */
  readonly fields: readonly string[];
  /** Units by field. */
  readonly units: ReadonlyMap<string, string>;
  readonly options: ExportOptions;
}

/** A byte order mark is in the file, but has no shape. */
const visible = (text: string): string => text.replace(/^\uFEFF/, '').trimEnd();

/** The names of the wells in records. */
function namesIn(records: string, { names }: WellIndex): Record<string, string> {
  const ids = records.matchAll(/"asset_id"\s*:\s*"?(\d{1,15})/g).map(([, id = '']) => id);
  return Object.fromEntries(ids.map((id) => [id, names.get(id)]).filter(([, name]) => name !== undefined));
}

/** The first records as the export would write them. The props have to stay the same objects while nothing changes. */
export function SampleText({ records, fields, units, options }: SampleTextProps) {
  const { sample } = useApp().exporting;
  const listed = useSessionState('wells', listedWells);
  const [shown, setShown] = useState<string | AppError | null>('');
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    records()
      .then((found) =>
        found === null
          ? null
          : sample(
              found,
              namesIn(found, listed),
              fields,
              { ...options, fieldUnits: Object.fromEntries(units) },
              signal,
            ),
      )
      .then(
        (text) => void (signal.aborted || setShown(text)),
        (error: unknown) => void (signal.aborted || setShown(toAppError(error))),
      );
    return () => control.abort();
  }, [records, sample, fields, units, options, listed]);
  if (shown === null) return <p className="quiet">{words.export.noSample}</p>;
  if (typeof shown !== 'string') return <p className="quiet">{shown.message}</p>;
  return (
    <div className="stack gap-1">
      <p className="field-label">{words.export.sample}</p>
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- long lines scroll, by keyboard too */}
      <section className="export-sample" tabIndex={0} aria-label={words.export.sample}>
        <pre>{visible(shown)}</pre>
      </section>
    </div>
  );
}
