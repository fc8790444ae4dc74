import { Fragment } from 'react';
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

const delimitedTextOptions: readonly FileOption[] = ['delimiter', 'shortRows', 'hashLines', 'apostrophes'];

/** Without `act`, it is done. */
type OfferedFix = readonly [text: string, act?: () => unknown];

/** What fixes say and do now; null: a fix can't be made. */
export function useFixes(): (fix: WarningFix) => OfferedFix | null {
  const { actions, store } = useTab('upload');
  const session = useSession();
  const state = useUploadParts('reading', 'preview', 'match', 'choices', 'dataset');
  const { reading, preview, match, choices, dataset } = state;
  const [asset] = scopeOf(useTabWells());
  const { steps } = useUploadProgress();
  const canGo = steps.find(({ step }) => step === 'columns')?.isReachable === true;
  const goTo = (text: string, column: string | null): OfferedFix | null =>
    canGo ? [text, () => actions.goToColumn(column)] : null;
  const read = (text: string, changes: FormatOptions): OfferedFix => [
    text,
    () => actions.read({ ...reading, ...changes }),
  ];
  /** Nothing if the column is skipped. */
  const mapped = (column: string) => {
    const { to = null, kind } = match.value?.columns.find((matched) => matched.column === column) ?? {};
    return to === null ? null : { to, kind };
  };
  return (fix) => {
    switch (fix.kind) {
      case 'null':
        return [w.takeAsNull(fix.token), () => actions.treatAsNull(fix.token)];
      case 'keep_text':
        return [w.keepAsText(fix.token), () => actions.keepAsText(fix.token)];
      case 'line':
        return [w.showLine(fix.line, placeKind(state)), () => actions.showLine(fix.line, fix.column)];
      case 'option': {
        const isDelimitedText = preview.status !== 'loaded' || !isConverted(preview.value);
        if (delimitedTextOptions.includes(fix.option) && !isDelimitedText) return null;
        return [w.options[fix.option], () => actions.goToOption(fix.option)];
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
        return [match.value?.folded ? records : rows, () => actions.setExistingMode('insert')];
      }
      case 'records': {
        if (!dataset) return null;
        const query = () => targetRecordsQuery(store.getState());
        return [w.showRecords, () => openRecords(session, dataset, query())];
      }
      case 'selected_well': {
        const well = wellConstant(choices);
        if (!well || asset === undefined) return null;
        const source = { from: 'constant', text: String(asset) } as const;
        return [w.selectedWell, () => actions.fill(well.path, source)];
      }
      case 'column':
        return goTo(w.column(fix.column), fix.column);
      case 'reading':
        return goTo(w.chooseReading(fix.column), fix.column);
      case 'join':
        return [w.combine(fix.column, fix.clock), () => actions.joinColumn(fix.column, [fix.clock])];
      case 'skip':
        return [w.skip(fix.column), () => actions.mapColumn(fix.column, { skip: true })];
      case 'zeros': {
        const { column, digits } = fix;
        if (choices.columns[column]?.digits === digits) return [w.zerosRestored(digits)];
        const kind = mapped(column)?.kind;
        // Wells are looked up with the zeros, too, and numbers have none.
        if (!kind || !takesDigits(kind)) return null;
        return [w.restoreZeros(digits), () => actions.restoreZeros(column, digits)];
      }
      case 'text': {
        const { to, kind } = mapped(fix.column) ?? {};
        if (to === undefined || kind !== 'auto') return null;
        return [w.asText(fix.column), () => actions.mapColumn(fix.column, { to, type: 'string' })];
      }
      case 'leave_out_blanks': {
        const { column } = fix;
        const target = mapped(column);
        return target && [w.leaveOutBlanks, () => actions.fill(target.to, { from: 'column', column })];
      }
      case 'wells':
      case 'fields':
      default:
        return goTo(w[fix.kind], null);
    }
  };
}

function FixControls({ fixes }: { fixes: readonly WarningFix[] }) {
  const offerOf = useFixes();
  return fixes.map((fix) => {
    const [text, act] = offerOf(fix) ?? [];
    const button = act && (
      <Button size="small" onPress={() => void act()}>
        {text}
      </Button>
    );
    return <Fragment key={JSON.stringify(fix)}>{button ?? <span className="quiet">{text}</span>} </Fragment>;
  });
}

function WarningControl({ warning }: { warning: FileWarning }) {
  const fixes = fixesFor(warning);
  if (fixes.length > 0) return <FixControls fixes={fixes} />;
  const reason = w.inFile[warning.code];
  return reason !== undefined && <span className="quiet"> {reason}</span>;
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
      {isEditable && <FixControls fixes={fixesOfAll(warnings)} />}
    </div>
  );
}
