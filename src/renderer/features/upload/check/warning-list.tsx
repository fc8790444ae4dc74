import { CircleX, Info, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import { warningSeverities, type Severity } from '../../../../shared/upload/warnings.ts';
import { uploadWords } from '../../../words/upload.ts';
import { useTabState, useSession, useTab } from '../../../contexts.ts';
import { placeKind, isConverted } from '../upload-state.ts';
import {
  groupWarnings,
  type Finding,
  fixesOfAll,
  fixesFor,
  type WarningFix,
  type FileOption,
} from './findings.ts';
import { Button } from '../../../ui/button.tsx';
import { scopeOf } from '../../../../shared/wells/wells.ts';
import { targetRecordsQuery } from './record-query.ts';
import { takesDigits, wellConstant } from '../columns/mapping-choices.ts';
import { useUploadProgress } from '../upload-parts.tsx';
import type { FormatOptions } from '../file/format-options.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { openRecords } from '../../query/open-query.ts';

const w = uploadWords.warnings;

export function WarningControl({ warning }: { warning: FileWarning }) {
  const fixes = fixesFor(warning);
  if (fixes.length === 0) {
    const reason = w.inFile[warning.code];
    return reason === undefined ? null : <span className="quiet"> {reason}</span>;
  }
  return fixes.map((fix) => <FixControl key={JSON.stringify(fix)} fix={fix} />);
}

const delimitedTextOptions: readonly FileOption[] = ['delimiter', 'shortRows', 'hashLines', 'apostrophes'];

export function FixControl({ fix }: { fix: WarningFix }) {
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const places = useTabState('upload', placeKind);
  const isDelimitedText = useTabState(
    'upload',
    ({ preview }) => preview.status !== 'loaded' || !isConverted(preview.value),
  );
  const areRecords = useTabState('upload', ({ match }) => match.value?.folded != null);
  const settle = (text: string, act: () => unknown) => <FixButton text={text} act={() => void act()} />;
  const read = (text: string, choices: FormatOptions) =>
    settle(text, () => actions.read({ ...reading, ...choices }));
  switch (fix.kind) {
    case 'null':
      return settle(w.takeAsNull(fix.token), () => actions.treatAsNull(fix.token));
    case 'keep_text':
      return settle(w.keepAsText(fix.token), () => actions.keepAsText(fix.token));
    case 'line':
      return settle(w.showLine(fix.line, places), () => actions.showLine(fix.line, fix.column));
    case 'option':
      if (delimitedTextOptions.includes(fix.option) && !isDelimitedText) return null;
      return settle(w.options[fix.option], () => actions.goToOption(fix.option));
    case 'header':
      return read(fix.line === 0 ? w.noHeader : w.headerAt(fix.line), { headerRow: fix.line });
    case 'encoding':
      return read(w.readIn(fix.encoding), { encoding: fix.encoding });
    case 'footer':
      return read(w.leaveOutFoot(fix.rows), { footerRows: (reading.footerRows ?? 0) + fix.rows });
    case 'count_footer':
      return read(w.countFooter, { footerRows: 0 });
    case 'insert_all':
      return settle(uploadWords.existing.insertAll[areRecords ? 'records' : 'rows'], () =>
        actions.setExistingMode('insert'),
      );
    case 'join':
      return settle(w.combine(fix.column, fix.clock), () => actions.joinColumn(fix.column, [fix.clock]));
    case 'zeros':
      return <RestoreZeros column={fix.column} digits={fix.digits} />;
    case 'text':
    case 'leave_out_blanks':
      return <MappedColumnFix kind={fix.kind} column={fix.column} />;
    case 'records':
      return <ShowRecords />;
    case 'selected_well':
      return <UseSelectedWell />;
    case 'column':
      return <GoToColumns text={w.column(fix.column)} to={fix.column} />;
    case 'reading':
      return <GoToColumns text={w.chooseReading(fix.column)} to={fix.column} />;
    case 'wells':
    case 'fields':
    default:
      return <GoToColumns text={w[fix.kind]} to={null} />;
  }
}

function FixButton({ text, act }: { text: string; act: () => void }) {
  return (
    <>
      <Button size="small" onPress={act}>
        {text}
      </Button>{' '}
    </>
  );
}

/** Opens the Columns step. @param to the column to open there; null: none */
function GoToColumns({ text, to }: { text: string; to: string | null }) {
  const { actions } = useTab('upload');
  const { steps } = useUploadProgress();
  const isReachable = steps.find(({ step }) => step === 'columns')?.isReachable === true;
  return isReachable ? <FixButton text={text} act={() => actions.goToColumn(to)} /> : null;
}

/** The match of a column, with its target; null: it has none. */
function useMappedColumn(name: string) {
  const column = useTabState('upload', ({ match }) =>
    match.value?.columns.find(({ column }) => column === name),
  );
  if (!column || column.to === null) return null;
  return { kind: column.kind, to: column.to };
}

function MappedColumnFix({ kind, column }: { kind: 'text' | 'leave_out_blanks'; column: string }) {
  const { actions } = useTab('upload');
  const matched = useMappedColumn(column);
  if (!matched) return null;
  const { to } = matched;
  if (kind === 'leave_out_blanks')
    return <FixButton text={w.leaveOutBlanks} act={() => actions.fill(to, { from: 'column', column })} />;
  if (matched.kind !== 'auto') return null;
  return <FixButton text={w.asText(column)} act={() => actions.mapColumn(column, { to, type: 'string' })} />;
}

function ShowRecords() {
  const session = useSession();
  const { store } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  if (!dataset) return null;
  return (
    <FixButton
      text={w.showRecords}
      act={() => openRecords(session, dataset, targetRecordsQuery(store.getState()))}
    />
  );
}

function RestoreZeros({ column, digits }: { column: string; digits: number }) {
  const { actions } = useTab('upload');
  const kind = useMappedColumn(column)?.kind;
  const isDone = useTabState('upload', ({ choices }) => {
    const choice = choices.columns[column];
    return choice !== undefined && !choice.skip && choice.digits === digits;
  });
  if (isDone) return <span className="quiet"> {w.zerosRestored(digits)}</span>;
  // Wells are looked up with the zeros, too, and numbers have none.
  return kind && takesDigits(kind) ? (
    <FixButton text={w.restoreZeros(digits)} act={() => actions.restoreZeros(column, digits)} />
  ) : null;
}

function UseSelectedWell() {
  const { actions } = useTab('upload');
  const well = useTabState('upload', ({ choices }) => wellConstant(choices)?.path);
  const [asset] = scopeOf(useTabWells());
  if (well === undefined || asset === undefined) return null;
  return (
    <FixButton
      text={w.selectedWell}
      act={() => actions.fill(well, { from: 'constant', text: String(asset) })}
    />
  );
}

const icons: Record<Severity, LucideIcon> = {
  blocking: CircleX,
  suspicious: TriangleAlert,
  information: Info,
};

export interface WarningListProps {
  readonly warnings: readonly FileWarning[];
  /** Whether the file can still be corrected: fixes are shown only then. */
  readonly isEditable?: boolean;
}

export function WarningList({ warnings, isEditable = false }: WarningListProps) {
  return <FindingList findings={groupWarnings(warnings)} isEditable={isEditable} />;
}

interface FindingListProps extends Pick<Required<WarningListProps>, 'isEditable'> {
  readonly findings: readonly Finding[];
}

export function FindingList({ findings, isEditable }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <ul className="upload-warnings gap-1 stack">
      {findings.map((finding, at) => (
        <FindingItem key={`${finding.code} ${at}`} finding={finding} isEditable={isEditable} />
      ))}
    </ul>
  );
}

function FindingItem({ finding, isEditable }: { finding: Finding; isEditable: boolean }) {
  const { code, warnings } = finding;
  const severity = warningSeverities[code];
  const Icon = icons[severity];
  const [first, ...otherWarnings] = warnings;
  return (
    <li className="line">
      <Icon className="state" data-state={severity} size={14} aria-hidden />
      {otherWarnings.length === 0 ? (
        <SingleWarning warning={first} isEditable={isEditable} />
      ) : (
        <Columns warnings={warnings} isEditable={isEditable} />
      )}
    </li>
  );
}

function SingleWarning({ warning, isEditable }: { warning: FileWarning; isEditable: boolean }) {
  const { code, line, count, message } = warning;
  const kind = useTabState('upload', placeKind);
  const place = uploadWords.foundIn(code, count, line, kind);
  return (
    <span>
      {uploadWords.warnings.of[code]?.(warning) ?? message}
      {place !== '' && <span className="quiet numbers"> ({place})</span>}{' '}
      {isEditable && <WarningControl warning={warning} />}
    </span>
  );
}

/** One warning for several columns, with a fix for each column. */
function Columns({ warnings, isEditable }: { warnings: Finding['warnings']; isEditable: boolean }) {
  const [first] = warnings;
  const w = uploadWords.inColumns;
  return (
    <div>
      <details>
        <summary>
          {w.columns(warnings.length)}: {w.of[first.code]?.(first)}
        </summary>
        <ul className="upload-warnings gap-1 stack">
          {warnings.map((warning) => (
            <li key={warning.column} className="line">
              <SingleWarning warning={warning} isEditable={isEditable} />
            </li>
          ))}
        </ul>
      </details>
      {isEditable && fixesOfAll(warnings).map((fix) => <FixControl key={JSON.stringify(fix)} fix={fix} />)}
    </div>
  );
}
