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
import { useUploadParts, useUploadProgress } from '../upload-parts.tsx';
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
  const { actions, store } = useTab('upload');
  const session = useSession();
  const state = useUploadParts('reading', 'preview', 'match', 'choices', 'dataset');
  const { reading, preview, match, dataset } = state;
  const [asset] = scopeOf(useTabWells());
  const button = (text: string, act: () => unknown) => <FixButton text={text} act={() => void act()} />;
  const read = (text: string, changes: FormatOptions) =>
    button(text, () => actions.read({ ...reading, ...changes }));
  if ('column' in fix && fix.kind !== 'line') return <ColumnFix fix={fix} />;
  switch (fix.kind) {
    case 'null':
      return button(w.takeAsNull(fix.token), () => actions.treatAsNull(fix.token));
    case 'keep_text':
      return button(w.keepAsText(fix.token), () => actions.keepAsText(fix.token));
    case 'line':
      return button(w.showLine(fix.line, placeKind(state)), () => actions.showLine(fix.line, fix.column));
    case 'option': {
      const isDelimitedText = preview.status !== 'loaded' || !isConverted(preview.value);
      if (delimitedTextOptions.includes(fix.option) && !isDelimitedText) return null;
      return button(w.options[fix.option], () => actions.goToOption(fix.option));
    }
    case 'header':
      return read(fix.line === 0 ? w.noHeader : w.headerAt(fix.line), { headerRow: fix.line });
    case 'encoding':
      return read(w.readIn(fix.encoding), { encoding: fix.encoding });
    case 'footer':
      return read(w.leaveOutFoot(fix.rows), { footerRows: (reading.footerRows ?? 0) + fix.rows });
    case 'count_footer':
      return read(w.countFooter, { footerRows: 0 });
    case 'insert_all': {
      const { records, rows } = uploadWords.existing.insertAll;
      return button(match.value?.folded ? records : rows, () => actions.setExistingMode('insert'));
    }
    case 'records': {
      if (!dataset) return null;
      const query = () => targetRecordsQuery(store.getState());
      return button(w.showRecords, () => openRecords(session, dataset, query()));
    }
    case 'selected_well': {
      const well = wellConstant(state.choices);
      if (!well || asset === undefined) return null;
      const source = { from: 'constant', text: String(asset) } as const;
      return button(w.selectedWell, () => actions.fill(well.path, source));
    }
    case 'wells':
    case 'fields':
    default:
      return <GoToColumns text={w[fix.kind]} to={null} />;
  }
}

/** What fixes a warning about a column; nothing if the column is skipped. */
function ColumnFix({ fix }: { fix: Exclude<Extract<WarningFix, { column: string }>, { kind: 'line' }> }) {
  const { actions } = useTab('upload');
  const { match, choices } = useUploadParts('match', 'choices');
  const { column } = fix;
  const { to = null, kind = null } = match.value?.columns.find((matched) => matched.column === column) ?? {};
  if (fix.kind === 'column') return <GoToColumns text={w.column(column)} to={column} />;
  if (fix.kind === 'reading') return <GoToColumns text={w.chooseReading(column)} to={column} />;
  if (fix.kind === 'join') {
    const { clock } = fix;
    return <FixButton text={w.combine(column, clock)} act={() => actions.joinColumn(column, [clock])} />;
  }
  if (fix.kind === 'zeros' && choices.columns[column]?.digits === fix.digits)
    return <span className="quiet"> {w.zerosRestored(fix.digits)}</span>;
  if (to === null) return null;
  switch (fix.kind) {
    case 'zeros': {
      const { digits } = fix;
      // Wells are looked up with the zeros, too, and numbers have none.
      if (!kind || !takesDigits(kind)) return null;
      return <FixButton text={w.restoreZeros(digits)} act={() => actions.restoreZeros(column, digits)} />;
    }
    case 'text':
      if (kind !== 'auto') return null;
      return (
        <FixButton text={w.asText(column)} act={() => actions.mapColumn(column, { to, type: 'string' })} />
      );
    case 'leave_out_blanks':
    default:
      return <FixButton text={w.leaveOutBlanks} act={() => actions.fill(to, { from: 'column', column })} />;
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
