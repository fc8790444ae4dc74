import { X } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, type ReactNode } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { ChannelNames } from './channel-names.tsx';
import { channelNamesMatchSearch, settingMatchesSearch, settingSections } from './setting-table.ts';
import { SettingRow } from './setting-row.tsx';
import { ShortcutList, useMatchingCommands } from './shortcut-list.tsx';
import './settings.css';

const w = words.settings;

/** The settings in a panel; changes apply immediately. */
export default function SettingsPanel({ divider }: { divider: ReactNode }) {
  const { show, load, seek } = useApp().settings.actions;
  const { recordShortcut } = useApp().commands.actions;
  const typed = useAppState('settings', (state) => state.search);
  const searchText = useDeferredValue(typed.trim());
  useReturnFocus();
  useEffect(() => void load(), [load]);
  // Ends recording, so that shortcuts work again.
  useEffect(() => () => recordShortcut(null), [recordShortcut]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from wherever the focus is in it
    <aside
      className="side-panel stack gap-0 settings"
      data-help="settings.md"
      aria-label={w.region}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed === '') show(false);
      }}
    >
      {divider}
      <header className="side-panel-head row settings-head">
        <h2>{w.region}</h2>
        <SearchBox
          label={w.search}
          placeholder={w.search}
          value={typed}
          onChange={seek}
          // oxlint-disable-next-line no-autofocus -- the user opens the settings to search
          autoFocus
        />
        <Button variant="quiet" icon={X} aria-label={w.close} onPress={() => show(false)} />
      </header>
      <SettingsProblems />
      <SettingsSections search={searchText} />
      <SettingsFooter />
    </aside>
  );
}

/** Settings that could not be read or stored. */
function SettingsProblems() {
  const { error, problem } = useAppState('settings', (state) => state);
  const { load } = useApp().settings.actions;
  return (
    <>
      {problem !== null && (
        <Alert isStrip tone="warning">
          {problem}
        </Alert>
      )}
      {error && (
        <div className="settings-trouble">
          <Failed error={error} onRetry={() => void load()} />
          <p className="small quiet">{w.notKept}</p>
        </div>
      )}
    </>
  );
}

function SettingsSections({ search }: { search: string }) {
  const commands = useMatchingCommands(search);
  const sections = settingSections
    .map(({ id, names }) => ({
      id,
      names: names.filter((name) => settingMatchesSearch(name, w.sections[id], search)),
    }))
    .filter(({ names }) => names.length > 0);
  const hasChannelNames = channelNamesMatchSearch(search);
  const count = sections.reduce(
    (sum, { names }) => sum + names.length,
    commands.length + (hasChannelNames ? 1 : 0),
  );
  return (
    <div className="side-panel-body settings-all">
      <Status className={count === 0 ? 'settings-none quiet' : 'visually-hidden'}>
        {search !== '' && (count === 0 ? w.noMatch : w.found(count))}
      </Status>
      {sections.map(({ id, names }) => (
        <section key={id} aria-labelledby={`settings-${id}`}>
          <h3 id={`settings-${id}`}>{w.sections[id]}</h3>
          {names.map((name) => (
            <SettingRow key={name} name={name} />
          ))}
        </section>
      ))}
      {hasChannelNames && <ChannelNames />}
      {commands.length > 0 && (
        <section aria-labelledby="settings-shortcuts">
          <h3 id="settings-shortcuts">{w.sections.shortcuts}</h3>
          <p className="small quiet">{w.keys.intro}</p>
          <ShortcutList commands={commands} />
        </section>
      )}
    </div>
  );
}

/** The last action, with an undo. */
function SettingsFooter() {
  const notice = useAppState('settings', (state) => state.notice);
  const canUndo = useAppState('settings', (state) => state.previous !== null);
  const isChanged = useAppState(
    'settings',
    ({ stored }) => Object.keys(stored.values).length + Object.keys(stored.shortcuts).length > 0,
  );
  const { resetAll, undo } = useApp().settings.actions;
  const foot = useRef<HTMLElement>(null);
  // The pressed button is replaced by its reverse; the focus stays.
  const stayFor = (act: () => void) => () => {
    foot.current?.focus();
    act();
  };
  return (
    <footer ref={foot} tabIndex={-1} className="side-panel-foot row settings-foot keep-focus">
      <Status className="settings-said grow quiet">{notice}</Status>
      {canUndo && <Button onPress={stayFor(undo)}>{w.undo}</Button>}
      {isChanged && (
        <Button variant="quiet" onPress={stayFor(() => void resetAll())}>
          {w.resetAll}
        </Button>
      )}
    </footer>
  );
}
