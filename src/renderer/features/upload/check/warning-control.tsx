import type { FileWarning } from '../../../../shared/upload/upload.ts';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { scopeOf } from '../../wells/scope.ts';
import { lookQueryOf } from './look-query.ts';
import { wellConstant } from '../columns/mapping-choices.ts';
import { useUploadProgress } from '../use-progress.ts';
import { useSession, useSessionState, useTab, useTabState } from '../../../state/contexts.ts';
import type { ReadingChoices } from '../file/reading-choices.ts';
import { fixesFor, type WarningFix } from './warning-fixes.ts';

const w = words.upload.warnings;

/** What settles a warning, where one press or one place does; else why there is nothing to press. */
export function WarningControl({ warning }: { warning: FileWarning }) {
  const fixes = fixesFor(warning);
  if (fixes.length === 0) {
    const reason = w.inFile[warning.code];
    return reason === undefined ? null : <span className="quiet"> {reason}</span>;
  }
  return fixes.map((fix) => <Fix key={JSON.stringify(fix)} fix={fix} />);
}

/** A button that settles a warning, or leads to where it is settled. */
export function Fix({ fix }: { fix: WarningFix }) {
  const { actions } = useTab('upload');
  const reading = useTabState('upload', (state) => state.reading);
  const settle = (text: string, act: () => unknown) => <Settle text={text} act={() => void act()} />;
  const read = (text: string, choices: ReadingChoices) =>
    settle(text, () => actions.read({ ...reading, ...choices }));
  switch (fix.how) {
    case 'null':
      return settle(w.takeAsNull(fix.token), () => actions.takeAsNull(fix.token));
    case 'keep_text':
      return settle(w.keepAsText(fix.token), () => actions.keepAsText(fix.token));
    case 'line':
      return settle(w.showLine(fix.line), () => actions.showLine(fix.line, fix.column));
    case 'option':
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
      return settle(words.upload.existing.insertAll, () => actions.treatExisting('insert'));
    case 'join':
      return settle(w.combine(fix.column, fix.clock), () => actions.joinColumn(fix.column, [fix.clock]));
    case 'zeros':
      return <RestoreZeros column={fix.column} digits={fix.digits} />;
    case 'text':
    case 'leave_out_blanks':
      return <OfPlacedColumn how={fix.how} column={fix.column} />;
    case 'records':
      return <ShowRecords />;
    case 'selected_well':
      return <UseSelected />;
    case 'column':
      return <GoToColumns text={w.column(fix.column)} to={fix.column} />;
    case 'reading':
      return <GoToColumns text={w.chooseReading(fix.column)} to={fix.column} />;
    case 'wells':
    case 'fields':
    default:
      return <GoToColumns text={w[fix.how]} to={null} />;
  }
}

function Settle({ text, act }: { text: string; act: () => void }) {
  return (
    <Button className="upload-settle" onPress={act}>
      {text}
    </Button>
  );
}

/** Leads to the Columns step. @param to the column that is opened there; null: none */
function GoToColumns({ text, to }: { text: string; to: string | null }) {
  const { actions } = useTab('upload');
  const { steps } = useUploadProgress();
  const reachable = steps.find(({ step }) => step === 'columns')?.reachable === true;
  return reachable ? <Settle text={text} act={() => actions.goToColumn(to)} /> : null;
}

/** What a press does to a column that has a place. */
function OfPlacedColumn({ how, column }: { how: 'text' | 'leave_out_blanks'; column: string }) {
  const { actions } = useTab('upload');
  const matched = useTabState('upload', ({ match }) =>
    match.value?.columns.find((each) => each.column === column),
  );
  const to = matched?.to ?? null;
  if (to === null) return null;
  if (how === 'leave_out_blanks')
    return <Settle text={w.leaveOutBlanks} act={() => actions.fill(to, { from: 'column', column })} />;
  if (matched?.kind !== 'auto') return null;
  return <Settle text={w.asText(column)} act={() => actions.mapColumn(column, { to, type: 'string' })} />;
}

/** Opens a query of the records where the rows belong. */
function ShowRecords() {
  const uploads = useSession().uploads;
  const { store } = useTab('upload');
  const dataset = useTabState('upload', (state) => state.dataset);
  if (!dataset) return null;
  return <Settle text={w.showRecords} act={() => uploads.lookAt(dataset, lookQueryOf(store.getState()))} />;
}

function RestoreZeros({ column, digits }: { column: string; digits: number }) {
  const { actions } = useTab('upload');
  const placed = useTabState(
    'upload',
    ({ match }) => (match.value?.columns.find((each) => each.column === column)?.to ?? null) !== null,
  );
  const done = useTabState('upload', ({ choices }) => {
    const choice = choices.columns[column];
    return choice !== undefined && !choice.skip && choice.digits === digits;
  });
  if (done) return <span className="quiet"> {w.zerosRestored(digits)}</span>;
  return placed ? (
    <Settle text={w.restoreZeros(digits)} act={() => actions.restoreZeros(column, digits)} />
  ) : null;
}

/** Stores all rows under the well that is selected now. */
function UseSelected() {
  const { actions } = useTab('upload');
  const well = useTabState('upload', ({ choices }) => wellConstant(choices)?.path);
  const [asset] = scopeOf(useSessionState('wells', (state) => state.chosen));
  if (well === undefined || asset === undefined) return null;
  return (
    <Settle text={w.selectedWell} act={() => actions.fill(well, { from: 'constant', text: String(asset) })} />
  );
}
