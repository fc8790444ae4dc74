import type { FileWarning } from '../../../shared/upload.ts';
import { mayMeanNull } from '../../../shared/null-tokens.ts';
import type { WarningCode } from '../../../shared/upload-warnings.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useWells } from '../wells/context.ts';
import { scopeOf } from '../wells/scope.ts';
import { useUpload, useUploadState } from './context.ts';
import { canBeNull, wellConstant } from './mapping-choices.ts';
import { useStanding } from './use-standing.ts';

const w = words.upload.warnings;
const ofNulls: ReadonlySet<WarningCode> = new Set([
  'sentinel_values',
  'mixed_types',
  'type_exceptions',
] as const);
const ofReading: ReadonlySet<WarningCode> = new Set([
  'serial_dates',
  'ambiguous_dates',
  'mixed_dates',
  'zone_missing',
  'zone_assumed',
  'time_as_text',
] as const);

/** What settles the thing that is worth a word, where one press or one place does. */
export function WarningControl({ warning }: { warning: FileWarning }) {
  const { code, column, cell, digits, count } = warning;
  if (cell !== undefined && ofNulls.has(code) && canBeNull(cell) && mayMeanNull(cell))
    return <TakeAsNull cell={cell} />;
  if (code === 'null_words' && cell !== undefined) return <KeepAsText cell={cell} />;
  if (code === 'footer_rows') return <CountFooter />;
  if (code === 'no_header') return <HeaderRow line={warning.line ?? 1} />;
  if (code === 'header_assumed') return <HeaderRow line={0} />;
  if (code === 'encoding_guessed') return <Encodings choices={warning.choices ?? []} />;
  if (code === 'foot_rows' && count !== undefined) return <LeaveOutFoot count={count} />;
  if (code === 'selection_differs') return <UseSelected />;
  if (column === undefined) return null;
  if (code === 'time_of_day_unused' && cell !== undefined)
    return <JoinTimeOfDay column={column} clock={cell} />;
  if (ofReading.has(code)) return <ChooseReading column={column} />;
  if (digits !== undefined) return <RestoreZeros column={column} digits={digits} />;
  return null;
}

function TakeAsNull({ cell }: { cell: string }) {
  const { actions } = useUpload();
  return (
    <Button className="upload-settle" onPress={() => actions.takeAsNull(cell)}>
      {w.takeAsNull(cell)}
    </Button>
  );
}

function KeepAsText({ cell }: { cell: string }) {
  const { actions } = useUpload();
  return (
    <Button className="upload-settle" onPress={() => actions.keepAsText(cell)}>
      {w.keepAsText(cell)}
    </Button>
  );
}

/** @param line 0: the file has no header */
function HeaderRow({ line }: { line: number }) {
  const { actions } = useUpload();
  const reading = useUploadState((state) => state.reading);
  return (
    <Button className="upload-settle" onPress={() => void actions.read({ ...reading, headerRow: line })}>
      {line === 0 ? w.noHeader : w.headerAt(line)}
    </Button>
  );
}

function Encodings({ choices }: { choices: readonly string[] }) {
  const { actions } = useUpload();
  const reading = useUploadState((state) => state.reading);
  return choices.map((encoding) => (
    <Button
      key={encoding}
      className="upload-settle"
      onPress={() => void actions.read({ ...reading, encoding })}
    >
      {w.readIn(encoding)}
    </Button>
  ));
}

function LeaveOutFoot({ count }: { count: number }) {
  const { actions } = useUpload();
  const reading = useUploadState((state) => state.reading);
  return (
    <Button
      className="upload-settle"
      onPress={() => void actions.read({ ...reading, footerRows: (reading.footerRows ?? 0) + count })}
    >
      {w.leaveOutFoot(count)}
    </Button>
  );
}

function CountFooter() {
  const { actions } = useUpload();
  const reading = useUploadState((state) => state.reading);
  return (
    <Button className="upload-settle" onPress={() => void actions.read({ ...reading, footerRows: 0 })}>
      {w.countFooter}
    </Button>
  );
}

function ChooseReading({ column }: { column: string }) {
  const { actions } = useUpload();
  const { steps } = useStanding();
  const reachable = steps.find(({ step }) => step === 'columns')?.reachable === true;
  if (!reachable) return null;
  return (
    <Button className="upload-settle" onPress={() => actions.goToColumn(column)}>
      {w.chooseReading(column)}
    </Button>
  );
}

function JoinTimeOfDay({ column, clock }: { column: string; clock: string }) {
  const { actions } = useUpload();
  return (
    <Button className="upload-settle" onPress={() => actions.joinColumn(column, [clock])}>
      {w.combine(column, clock)}
    </Button>
  );
}

function RestoreZeros({ column, digits }: { column: string; digits: number }) {
  const { actions } = useUpload();
  const placed = useUploadState(
    ({ match }) => (match.value?.columns.find((each) => each.column === column)?.to ?? null) !== null,
  );
  const done = useUploadState(({ choices }) => {
    const choice = choices.columns[column];
    return choice !== undefined && !choice.skip && choice.digits === digits;
  });
  if (done) return <span className="quiet"> {w.zerosRestored(digits)}</span>;
  if (!placed) return null;
  return (
    <Button className="upload-settle" onPress={() => actions.restoreZeros(column, digits)}>
      {w.restoreZeros(digits)}
    </Button>
  );
}

/** Stores all rows under the well that is selected now. */
function UseSelected() {
  const { actions } = useUpload();
  const well = useUploadState(({ choices }) => wellConstant(choices)?.path);
  const [asset] = scopeOf(useWells((state) => state.chosen));
  if (well === undefined || asset === undefined) return null;
  return (
    <Button
      className="upload-settle"
      onPress={() => actions.fill(well, { from: 'constant', text: String(asset) })}
    >
      {w.selectedWell}
    </Button>
  );
}
