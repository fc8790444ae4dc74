import { CircleCheck, CircleSlash, CircleX, Ellipsis } from 'lucide-react';
import { useEffect } from 'react';
import type { HistoryPage, Run } from '../../../shared/contract/query.ts';
import { formatShortMoment } from '../../format/zoned.ts';
import { formatDuration } from '../../format/times.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { PickList, type RowMenu } from '../../ui/pick-list.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useSession, useSessionState, type Session } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const rowHeight = 62;
const w = words.history;

export default function HistoryList() {
  const page = useSessionState('history', (state) => state.page);
  const { load } = useSession().history.actions;
  // Reloads when opened: other windows may have run queries.
  useEffect(() => void load(), [load]);
  if (page.status === 'idle' || page.status === 'loading') return <Loading what={w.loading} />;
  if (page.status === 'failed') return <Failed error={page.error} onRetry={() => void load()} />;
  const { runs, matching, all } = page.value;
  return (
    <>
      {all === 0 ? <Empty>{w.empty}</Empty> : <Runs page={page.value} />}
      {/* In one place whatever the list shows: a press that began on its button ends there. */}
      <RemovalNotice />
      {all > 0 && <Status className="list-foot quiet numbers">{w.shown(runs.length, matching, all)}</Status>}
    </>
  );
}

function Runs({ page }: { page: HistoryPage }) {
  const search = useSessionState('history', (state) => state.search);
  const actions = useSession().history.actions;
  const session = useSession();
  const menuOf = (run: Run) => menuOfRun(session, run);
  return (
    <>
      <div className="list-head list-head-more items-center gap-1">
        <SearchBox
          label={w.search}
          placeholder={w.searchHint}
          value={search}
          onChange={(text) => void actions.search(text)}
        />
        <MenuButton
          label={w.more}
          icon={Ellipsis}
          items={[{ id: 'all', text: w.removeAll, run: () => void actions.remove(null) }]}
        />
      </div>
      <KeepFocus className="fill faint-above">
        {page.runs.length === 0 ? (
          <Empty action={<Button onPress={() => void actions.search('')}>{words.clearSearch}</Button>}>
            {w.noMatch}
          </Empty>
        ) : (
          <PickList
            label={w.heading}
            items={page.runs}
            keyOf={({ id }) => id}
            nameOf={(run) => `${subjectOf(run)} ${run.text} ${w.outcomes[run.outcome]}`}
            rowHeight={rowHeight}
            onOpen={(run) => void actions.open(session, run, { run: false })}
            menuOf={menuOf}
            render={(run) => <RunRow run={run} menu={menuOf(run)} />}
          />
        )}
      </KeepFocus>
    </>
  );
}

/** The dataset of a query, with its mode where it isn't Find; SQL reads other tables. */
function subjectOf({ provider, dataset, mode }: Run): string {
  if (mode === 'sql') return words.query.modes.sql;
  return mode === 'find' ? `${provider}/${dataset}` : `${provider}/${dataset} · ${words.opened.kinds[mode]}`;
}
const icons = { done: CircleCheck, failed: CircleX, cancelled: CircleSlash };

function menuOfRun(session: Session, run: Run): RowMenu {
  const { actions } = session.history;
  const open = (again: boolean) => () => void actions.open(session, run, { run: again });
  return {
    items: [
      run.whole && { id: 'again', text: w.again, run: open(true) },
      run.whole && { id: 'open', text: w.open, run: open(false) },
      { id: 'remove', text: w.remove, run: () => void actions.remove(run) },
    ],
  };
}

function RunRow({ run, menu }: { run: Run; menu: RowMenu }) {
  const Icon = icons[run.outcome];
  const [first] = run.wells;
  return (
    <div className="row gap-1 grow">
      <div className="grow">
        <div className="min-0 row">
          <span
            className="flex-none state row gap-1"
            data-state={run.outcome}
            title={w.outcomes[run.outcome]}
          >
            <Icon size={14} aria-hidden />
            {run.outcome === 'done' && run.rows !== null ? w.rows(run.rows) : w.outcomes[run.outcome]}
          </span>
          <span className="grow ellipsis">{subjectOf(run)}</span>
          <span className="flex-none small quiet numbers">{formatShortMoment(run.at)}</span>
        </div>
        <div className="min-0 row quiet">
          <span className="grow ellipsis small mono" title={run.text}>
            {run.text === '' ? w.noText[run.mode] : run.text}
          </span>
        </div>
        <div className="min-0 row quiet">
          <span className="grow ellipsis small">{first && w.wells(first.name, run.wells.length - 1)}</span>
          {run.ms !== null && <span className="flex-none small numbers">{formatDuration(run.ms)}</span>}
        </div>
      </div>
      <MenuButton label={w.menu(subjectOf(run))} icon={Ellipsis} {...menu} />
    </div>
  );
}

function RemovalNotice() {
  const removed = useSessionState('history', (state) => state.removedRuns.length);
  const problem = useSessionState('history', (state) => state.problem);
  const { undo } = useSession().history.actions;
  if (problem !== null)
    return (
      <Alert isStrip tone="error">
        {problem}
      </Alert>
    );
  if (removed === 0) return null;
  return (
    <Alert isStrip tone="info" action={{ text: words.undo, run: () => void undo() }}>
      {w.removed(removed)}
    </Alert>
  );
}
