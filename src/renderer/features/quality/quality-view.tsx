import { FileDown, ImageDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { QualityReport } from '../../../shared/quality/report.ts';
import { formatCount } from '../../format/numbers.ts';
import { useApp } from '../../contexts.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import type { ShowRecords } from './finding-table.tsx';
import { placeText, type PlaceText } from './place-text.ts';
import { CompletenessTable, FieldTable, GapTable, WellTable, type TableProps } from './quality-tables.tsx';
import { completenessCsv, dataName, pictureName, stripPicture } from './saving.ts';
import { StripChart } from './strip-chart.tsx';
import './quality.css';

interface QualityViewProps {
  readonly report: QualityReport;
  /** The name of what was checked, for files. */
  readonly title: string;
  /** An IANA name; null: UTC. */
  readonly zone: string | null;
  /** Absent: records can't be shown. */
  readonly onShow?: ShowRecords | undefined;
}

/** A report: facts, completeness, gaps, fields, and wells. */
export function QualityView({ report, title, zone, onShow }: QualityViewProps) {
  const text = useMemo(() => placeText(report.index, zone), [report, zone]);
  const w = words.quality;
  const hasIndex = report.index.kind !== 'rows';
  const partlyChecked = report.fields.filter(({ uncheckedWells }) => uncheckedWells > 0).length;
  const tables = { report, text, onShow: hasIndex ? onShow : undefined };
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="quality" aria-label={w.region} tabIndex={0}>
      {!hasIndex && <Alert tone="info">{w.noIndex}</Alert>}
      {report.uncheckedWells > 0 && <Alert tone="warning">{w.uncheckedWells(report.uncheckedWells)}</Alert>}
      {report.uncheckedFields > 0 && (
        <Alert tone="warning">{w.uncheckedFields(report.uncheckedFields)}</Alert>
      )}
      {partlyChecked > 0 && <Alert tone="warning">{w.partlyChecked(partlyChecked)}</Alert>}
      <Facts report={report} text={text} />
      <Completeness {...tables} title={title} />
      {hasIndex && (
        <>
          <h3>{w.gaps.heading(report.gapCount)}</h3>
          <GapTable {...tables} />
        </>
      )}
      <h3>{w.fields.heading}</h3>
      <FieldTable {...tables} />
      {report.wells.length > 1 && (
        <>
          <h3>{w.wells.heading}</h3>
          <WellTable {...tables} />
        </>
      )}
    </section>
  );
}

function Facts({ report, text }: { report: QualityReport; text: PlaceText }) {
  const w = words.quality.facts;
  const { index, gapCount, missing, duplicates, disorder, unplaced } = report;
  const count = (value: number): string => (value === 0 ? w.none : formatCount(value));
  const facts: readonly (readonly [name: string, value: string, isOdd: boolean])[] = [
    [w.records, formatCount(report.rows), false],
    ...(index.first === null || index.last === null
      ? []
      : [[w.range, `${text.place(index.first)} – ${text.place(index.last)}`, false] as const]),
    ...(index.kind === 'rows'
      ? []
      : ([
          [w.step, index.step === null ? w.irregular : text.distance(index.step), false],
          [w.gaps, w.gapsText(gapCount, missing), gapCount > 0],
          [w.duplicates, count(duplicates), duplicates > 0],
          [w.disorder, count(disorder), disorder > 0],
          ...(unplaced > 0 ? [[w.unplaced, count(unplaced), true] as const] : []),
        ] as const)),
  ];
  return (
    <dl className="quality-facts">
      {facts.map(([name, value, isOdd]) => (
        <div key={name} data-state={isOdd ? 'odd' : undefined}>
          <dt className="quiet">{name}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Completeness({ report, text, onShow, title }: TableProps & { title: string }) {
  const w = words.quality.chart;
  const { save } = useApp();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { from, width, rows } = report.completeness;
  const saving = useTask(async (what: 'csv' | 'picture') => {
    const name = what === 'csv' ? dataName(title) : pictureName(title);
    const ends = [text.place(from), text.place(from + rows.length * width)] as const;
    const blob =
      what === 'csv'
        ? completenessCsv(report)
        : await stripPicture(report, `${title}: ${w.heading}`, `${ends[0]} – ${ends[1]}`, ends);
    return (await save(name, blob)) ? name : '';
  });
  return (
    <>
      <div className="row quality-head">
        <h3>{w.heading}</h3>
        <OptionGroup
          label={w.view}
          layout="line"
          value={view}
          options={(['chart', 'table'] as const).map((id) => ({ id, text: w.views[id] }))}
          onChange={setView}
        />
        <span className="quality-tools row gap-0">
          <Button
            variant="quiet"
            icon={ImageDown}
            aria-label={w.picture}
            onPress={() => void saving.start('picture')}
          />
          <Button
            variant="quiet"
            icon={FileDown}
            aria-label={w.csv}
            onPress={() => void saving.start('csv')}
          />
        </span>
        <Status className="visually-hidden">{saving.value ? w.saved(saving.value) : ''}</Status>
      </div>
      {saving.error && <Failed error={saving.error} />}
      {view === 'chart' ? (
        <StripChart report={report} text={text} onShow={onShow} />
      ) : (
        <CompletenessTable report={report} text={text} onShow={onShow} />
      )}
    </>
  );
}
