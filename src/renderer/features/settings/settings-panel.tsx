import { X, Plus, RotateCcw } from 'lucide-react';
import {
  memo,
  useDeferredValue,
  useEffect,
  useRef,
  type ReactNode,
  useState,
  useId,
  type KeyboardEvent,
} from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useReturnFocus, KeepFocus } from '../../ui/keep-focus.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { wordSearch } from '../../../shared/word-search.ts';
import { inputText, typedNumber } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';
import {
  settingMatchesSearch,
  settingSections,
  optionsOf,
  isChoice,
  isNumber,
  type ChoiceName,
  type FlagName,
  type NumberName,
  commandMatchesSearch,
} from './setting-table.ts';
import './settings.css';
import {
  channels,
  channelsOf,
  normalizedName,
  nameProblems,
  noSynonyms,
  type NamesByChannel,
} from '../../../shared/channels/channels.ts';
import { readList, writeList } from '../../../shared/value-lists.ts';
import { useTask } from '../../state/latest-task.ts';
import { ComboBox } from '../../ui/combo-box.tsx';
import { ImportExport } from '../../ui/import-export.tsx';
import { ListField } from '../../ui/list-field.tsx';
import { type SettingName, changedSettings, settings } from '../../../shared/settings/settings.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Section } from '../../ui/section.tsx';
import { commandIds, commandTable, type CommandId, type Shortcuts } from '../commands/command-table.ts';
import { currentShortcuts } from '../commands/commands.ts';
import {
  chordOf,
  isMac,
  isModifierOnly,
  shortcutText,
  shortcutsOf,
  type KeyPress,
} from '../commands/keys.ts';

const keysWords = words.settings.keys;

type KeyCheck =
  | { readonly status: 'refused'; readonly why: ShortcutRefusal }
  /** Another command has this shortcut. */
  | {
      readonly status: 'taken';
      readonly chord: string;
      readonly names: readonly string[];
      readonly of: CommandId;
    };

type TakenCheck = Extract<KeyCheck, { status: 'taken' }>;

interface CheckAlertProps {
  readonly check: KeyCheck;
  readonly onReassign: (check: TakenCheck) => void;
  /** Another shortcut is to be pressed. */
  readonly onOther: () => void;
}

function CheckAlert({ check, onReassign, onOther }: CheckAlertProps) {
  if (check.status === 'refused') return <Alert tone="warning">{keysWords.refused[check.why]}</Alert>;
  return (
    <Alert
      tone="warning"
      actions={
        <>
          <Button onPress={() => onReassign(check)}>{keysWords.reassign}</Button>
          <Button variant="quiet" onPress={onOther}>
            {keysWords.others}
          </Button>
        </>
      }
    >
      {keysWords.taken(shortcutText(check.chord, isMac()), words.commands.titles[check.of])}
    </Alert>
  );
}

function ShortcutRecorder({ id }: { id: CommandId }) {
  const note = useId();
  const input = useRef<HTMLInputElement>(null);
  const [check, setCheck] = useState<KeyCheck | null>(null);
  const customShortcuts = useAppState('commands', (state) => state.customShortcuts);
  const inBrowser = useAppState('workspace', (state) => state.files === 'stream');
  const { recordShortcut, commandOf } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const title = words.commands.titles[id];
  const listen = () => {
    setCheck(null);
    input.current?.focus();
  };
  useEffect(() => input.current?.focus(), []);

  function assign(chord: string, from: Readonly<Record<string, readonly string[]>> = {}): void {
    setKeys({ ...from, [id]: [chord] }, keysWords.set(title, shortcutText(chord, isMac())));
    recordShortcut(null);
  }
  function onKey(event: KeyboardEvent): void {
    // These keys leave the control, as everywhere.
    if (event.key === 'Tab' && !event.ctrlKey && !event.metaKey && !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (isPlain && event.key === 'Backspace') setKeys({ [id]: [] }, keysWords.removed(title));
    if (isPlain && (event.key === 'Escape' || event.key === 'Backspace')) return recordShortcut(null);
    const pressed = checkShortcut(event.nativeEvent, { isMac: isMac(), inBrowser });
    if (pressed === null) return;
    if ('refused' in pressed) return setCheck({ status: 'refused', why: pressed.refused });
    const of = commandOf(event.nativeEvent);
    if (of === null || of === id) return assign(pressed.chord);
    setCheck({ status: 'taken', chord: pressed.chord, names: shortcutsOf(event.nativeEvent), of });
  }
  function reassign({ chord, names, of }: TakenCheck): void {
    const shortcuts = currentShortcuts({ customShortcuts }, of).filter((name) => !names.includes(name));
    assign(chord, { [of]: shortcuts });
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only hears that the focus has left it, and Escape
    <div
      className="wide stack gap-1"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) recordShortcut(null);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        recordShortcut(null);
      }}
    >
      <input
        ref={input}
        className="input"
        readOnly
        aria-label={keysWords.catching(title)}
        aria-describedby={note}
        placeholder={keysWords.press}
        value={check?.status === 'taken' ? shortcutText(check.chord, isMac()) : ''}
        onKeyDown={onKey}
      />
      <p id={note} className="field-note">
        {keysWords.leave}
      </p>
      {check && <CheckAlert check={check} onReassign={reassign} onOther={listen} />}
    </div>
  );
}

function ChangedMark({ name, onReset }: { name: string; onReset: () => void }) {
  return (
    <span className="accent flex-none row gap-0 small">
      <span>{words.settings.changed}</span>
      <Button variant="quiet" icon={RotateCcw} aria-label={words.settings.reset(name)} onPress={onReset} />
    </span>
  );
}

const keysOf = (customShortcuts: Partial<Shortcuts>, id: CommandId): string[] =>
  currentShortcuts({ customShortcuts }, id).map((shortcut) => shortcutText(shortcut, isMac()));

function useMatchingCommands(search: string): readonly CommandId[] {
  const changed = useAppState('commands', (state) => state.customShortcuts);
  return commandIds.filter((id) => commandMatchesSearch(id, keysOf(changed, id), search));
}

function ShortcutList({ commands }: { commands: readonly CommandId[] }) {
  return [...Map.groupBy(commands, (id) => commandTable[id].group)].map(([group, ids]) => (
    <div key={group}>
      <h4 id={`settings-keys-${group}`} className="quiet settings-group bold small">
        {words.commands.groups[group]}
      </h4>
      <ul aria-labelledby={`settings-keys-${group}`}>
        {ids.map((id) => (
          <ShortcutRow key={id} id={id} />
        ))}
      </ul>
    </div>
  ));
}

const ShortcutRow = memo(function ShortcutRow({ id }: { id: CommandId }) {
  const changed = useAppState('commands', (state) => state.customShortcuts);
  const keys = keysOf(changed, id);
  const title = words.commands.titles[id];
  const isRecording = useAppState('commands', (state) => state.recordingFor === id);
  const { recordShortcut } = useApp().commands.actions;
  const { setKeys } = useApp().settings.actions;
  const button = useRef<HTMLButtonElement>(null);
  const wasRecording = useRef(isRecording);
  useEffect(() => {
    // The recorder had the focus; it moves to the shortcuts.
    if (wasRecording.current && !isRecording && document.activeElement === document.body)
      button.current?.focus();
    wasRecording.current = isRecording;
  }, [isRecording]);
  const all = keys.join(', ');
  return (
    <li className="settings-shortcut pad-y-1 faint-below row wrap" aria-label={title}>
      <span className="grow-text">{title}</span>
      {isRecording ? (
        <ShortcutRecorder id={id} />
      ) : (
        <>
          {id in changed && (
            <ChangedMark
              name={title}
              onReset={() => {
                button.current?.focus();
                setKeys({ [id]: null }, w.wasReset(title));
              }}
            />
          )}
          <Button
            ref={button}
            variant="quiet"
            className="shortcut-keys flex-none gap-1"
            aria-label={w.keys.change(title, all === '' ? w.keys.none : all)}
            onPress={() => recordShortcut(id)}
          >
            {keys.length === 0 ? (
              <span className="quiet">{w.keys.none}</span>
            ) : (
              keys.map((keyName) => <kbd key={keyName}>{keyName}</kbd>)
            )}
          </Button>
        </>
      )}
    </li>
  );
});

const SettingRow = memo(function SettingRow({ name }: { name: SettingName }) {
  if (isChoice(name)) return <ChoiceRow name={name} />;
  return isNumber(name) ? <NumberRow name={name} /> : <FlagRow name={name} />;
});

function Frame({ name, children }: { name: SettingName; children: ReactNode }) {
  const isChanged = useAppState('settings', (state) => name in state.stored.values);
  const { reset } = useApp().settings.actions;
  return (
    <KeepFocus className="pad-y-2 faint-below row wrap gap-3" focusKey={isChanged}>
      {children}
      {isChanged && <ChangedMark name={w.names[name].name} onReset={() => void reset(name)} />}
    </KeepFocus>
  );
}

function Description({ name, id }: { name: SettingName; id: string }) {
  return (
    <div className="grow-text">
      <span aria-hidden="true">{w.names[name].name}</span>
      <p id={id} className="field-note">
        {w.names[name].note}
      </p>
    </div>
  );
}

function ChoiceRow({ name }: { name: ChoiceName }) {
  const id = useId();
  const value: string = useAppState('settings', (state) => state.values[name]);
  const { set } = useApp().settings.actions;
  return (
    <Frame name={name}>
      <Description name={name} id={id} />
      <div className="setting-control flex-none">
        <SelectBox
          label={w.names[name].name}
          describedBy={id}
          value={value}
          options={optionsOf(name)}
          onChange={(chosen) => set(changedSettings.parse({ [name]: chosen }))}
        />
      </div>
    </Frame>
  );
}

function FlagRow({ name }: { name: FlagName }) {
  const checked = useAppState('settings', (state) => state.values[name]);
  const { set } = useApp().settings.actions;
  return (
    <Frame name={name}>
      <div className="grow-text">
        <CheckBox
          label={w.names[name].name}
          note={w.names[name].note}
          checked={checked}
          onChange={(on) => set({ [name]: on })}
        />
      </div>
    </Frame>
  );
}

/** A number is stored once it is valid; until then, the text stays with its problem. */
function NumberRow({ name }: { name: NumberName }) {
  const id = useId();
  const value = useAppState('settings', (state) => state.values[name]);
  const { set } = useApp().settings.actions;
  const [typed, setTyped] = useState<string | null>(null);
  const asNumber = (text: string) => settings.shape[name].safeParse(typedNumber(text)).data;
  const isWrong = typed !== null && asNumber(typed) === undefined;
  return (
    <Frame name={name}>
      <Description name={name} id={id} />
      <div className="setting-control flex-none">
        <TextField
          label={w.names[name].name}
          isLabelHidden
          describedBy={id}
          name={name}
          inputMode={name === 'limit' ? 'numeric' : 'decimal'}
          value={typed ?? inputText(value)}
          problem={isWrong ? w.ranges[name] : undefined}
          onChange={(text) => {
            setTyped(text);
            const typedValue = asNumber(text);
            if (typedValue !== undefined && typedValue !== value) set({ [name]: typedValue });
          }}
          onBlur={() => setTyped(null)}
        />
      </div>
    </Frame>
  );
}

const channelNamesWords = words.settings.channelNames;

const shownName = (channel: string): string => channel.replaceAll('_', ' ');

const options = channels.map(({ name, names }) => ({
  id: name,
  text: shownName(name),
  note: names.slice(0, 3).join(', '),
  sought: [name, ...names].map(normalizedName),
}));

function findChannels(typed: string) {
  const sought = normalizedName(typed);
  const rank = ({ sought: [name = '', ...mnemonics] }: (typeof options)[number]) =>
    [name, ...mnemonics].includes(sought) ? 0 : name.includes(sought) ? 1 : 2;
  return options
    .filter((option) => option.sought.some((name) => name.includes(sought)))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** Why names can't be added to those of other channels; undefined: they can. */
function problemWith(all: NamesByChannel, channel: string, names: readonly string[]): string | undefined {
  const [problem] = nameProblems({ ...all, [channel]: names });
  if (!problem) return undefined;
  if (problem.takenBy === null) return channelNamesWords.empty(problem.name);
  const other = problem.channel === channel ? problem.takenBy : problem.channel;
  return channelNamesWords.taken(problem.name, shownName(other));
}

const noNames: NamesByChannel = {};
const useNames = (): NamesByChannel =>
  useAppState('settings', (state) => state.stored.channelNames) ?? noNames;

function ChannelNames() {
  const names = useNames();
  const list = Object.keys(names).toSorted((a, b) => a.localeCompare(b));
  return (
    <Section level={3} heading={w.sections.channelNames}>
      <p className="field-note">{channelNamesWords.intro}</p>
      <KeepFocus focusKey={list.length}>
        {list.length > 0 && (
          <ul aria-label={w.sections.channelNames}>
            {list.map((channel) => (
              <NamesRow key={channel} channel={channel} />
            ))}
          </ul>
        )}
        <AddNames />
      </KeepFocus>
      <ShareNames hasAny={list.length > 0} />
    </Section>
  );
}

/** Names are stored once their field loses the focus. */
function NamesRow({ channel }: { channel: string }) {
  const all = useNames();
  const { setChannelNames } = useApp().settings.actions;
  const stored = writeList(all[channel] ?? []);
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? undefined : problemWith(all, channel, readList(typed));
  const name = shownName(channel);
  return (
    <li className="pad-y-2 faint-below row gap-3">
      <span className="channel-name break">{name}</span>
      <ListField
        label={channelNamesWords.namesOf(name)}
        isLabelHidden
        name={channel}
        className="grow"
        value={typed ?? stored}
        problem={problem}
        onChange={setTyped}
        onBlur={() => {
          if (typed === null || problem !== undefined) return;
          setTyped(null);
          const names = readList(typed);
          if (writeList(names) !== stored) setChannelNames(channel, names);
        }}
      />
      <Button
        variant="quiet"
        icon={X}
        aria-label={channelNamesWords.remove(name)}
        onPress={() => setChannelNames(channel, [])}
      />
    </li>
  );
}

function AddNames() {
  const all = useNames();
  const { setChannelNames } = useApp().settings.actions;
  const [channel, setChannel] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const added = readList(typed);
  const names = channel === null ? [] : [...new Set([...(all[channel] ?? []), ...added])];
  const problem = channel === null || typed === '' ? undefined : problemWith(all, channel, names);
  const canAdd = channel !== null && added.length > 0 && problem === undefined;
  return (
    <Form
      className="pad-y-3 stack gap-1"
      onSubmit={() => {
        if (!canAdd) return;
        setChannelNames(channel, names);
        setChannel(null);
        setTyped('');
      }}
    >
      <ComboBox
        label={channelNamesWords.channel}
        value={channel}
        text={channel === null ? '' : shownName(channel)}
        find={findChannels}
        emptyText={channelNamesWords.noChannel}
        onSelect={setChannel}
      />
      <ListField
        label={channelNamesWords.names}
        name="names"
        value={typed}
        placeholder={channelNamesWords.placeholder}
        problem={problem}
        onChange={setTyped}
      />
      <Button type="submit" className="self-start" icon={Plus} isDisabled={!canAdd}>
        {channelNamesWords.add}
      </Button>
    </Form>
  );
}

function ShareNames({ hasAny }: { hasAny: boolean }) {
  const { settings, save } = useApp();
  const { channelNamesFile, importChannelNames } = settings.actions;
  const importing = useTask((file: File) => importChannelNames(file));
  const exporting = useTask(async (_: void, signal) => {
    const { suggestedName, text } = await channelNamesFile(signal);
    return save(suggestedName, new Blob([text], { type: 'application/json' }));
  });
  const error = importing.error ?? exporting.error;
  return (
    <>
      <div className="row wrap">
        <ImportExport
          importing={importing}
          exporting={exporting}
          canExport={hasAny}
          importLabel={channelNamesWords.importFile}
          exportLabel={channelNamesWords.exportFile}
        />
        <Status className="quiet">
          {importing.value !== null && channelNamesWords.imported(importing.value)}
        </Status>
      </div>
      {error && <Alert tone="error">{error.message}</Alert>}
    </>
  );
}

const w = words.settings;

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
      className="side-panel stack gap-0 full surface settings"
      data-help="settings.md"
      aria-label={w.region}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed === '') show(false);
      }}
    >
      {divider}
      <header className="side-panel-head row line-below settings-head">
        <h2 className="large">{w.region}</h2>
        <SearchBox
          className="grow"
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

function SettingsProblems() {
  const error = useAppState('settings', (state) => state.error);
  const problem = useAppState('settings', (state) => state.problem);
  const { load } = useApp().settings.actions;
  return (
    <>
      {problem !== null && (
        <Alert isStrip tone="warning">
          {problem}
        </Alert>
      )}
      {error && (
        <div>
          <Failed error={error} onRetry={() => void load()} />
          <p className="small quiet">{w.notKept}</p>
        </div>
      )}
    </>
  );
}

const sectionsInView = 2;

function SettingsSections({ search }: { search: string }) {
  const commands = useMatchingCommands(search);
  const sections = settingSections
    .map(({ id, names }) => ({
      id,
      names: names.filter((name) => settingMatchesSearch(name, w.sections[id], search)),
    }))
    .filter(({ names }) => names.length > 0);
  const hasChannelNames =
    wordSearch(search)([w.sections.channelNames, w.channelNames.intro].join('\n')) ||
    channelsOf(search, { synonyms: noSynonyms }).length > 0;
  // Those that fill the view are drawn first.
  const isWhole = useDeferredValue(true, false);
  const count = sections.reduce(
    (sum, { names }) => sum + names.length,
    commands.length + (hasChannelNames ? 1 : 0),
  );
  return (
    <div className="fill scroll settings-all">
      <Status className={count === 0 ? 'row pad-y-3 quiet' : 'visually-hidden'}>
        {search !== '' && (count === 0 ? w.noMatch : w.found(count))}
      </Status>
      {(isWhole ? sections : sections.slice(0, sectionsInView)).map(({ id, names }) => (
        <Section key={id} level={3} heading={w.sections[id]}>
          {names.map((name) => (
            <SettingRow key={name} name={name} />
          ))}
        </Section>
      ))}
      {isWhole && hasChannelNames && <ChannelNames />}
      {isWhole && commands.length > 0 && (
        <Section level={3} heading={w.sections.shortcuts}>
          <p className="small quiet">{w.keys.intro}</p>
          <ShortcutList commands={commands} />
        </Section>
      )}
    </div>
  );
}

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
      {canUndo && <Button onPress={stayFor(undo)}>{words.undo}</Button>}
      {isChanged && (
        <Button variant="quiet" onPress={stayFor(() => void resetAll())}>
          {w.resetAll}
        </Button>
      )}
    </footer>
  );
}

type ShortcutRefusal = 'typing' | 'editing' | 'browser' | 'menu' | 'system';

interface KeyPlace {
  readonly isMac: boolean;
  /** In a browser tab, not an installed page. */
  readonly inBrowser: boolean;
}

const editing =
  /^(?:Mod\+(?:[ACVXZYM.]|Shift\+[ZV]|Space)|(?:Mod|Alt)\+(?:Shift\+)?(?:Arrow\w+|Home|End|Backspace|Delete))$/;
const browser =
  /^(?:Mod\+(?:[NTWLRQ0-9=]|-|Plus|Shift\+[NTWRQIJC]|(?:Shift\+)?(?:Tab|PageUp|PageDown))|F5|F11|F12)$/;
const menu = /^(?:Mod\+(?:[OQ0=]|-|Plus|Shift\+N)|F11)$/;
const system = /^(?:Alt\+(?:Shift\+)?(?:F4|Tab|Escape|Space)|Shift\+F10|Mod\+(?:Shift\+)?Escape)$/;
const systemOfMac = /^Mod\+(?:[HW]|Space|(?:Shift\+)?Tab)$/;

/** A key press as a shortcut, or why it can't be one. Null: more keys are needed. */
export function checkShortcut(
  pressed: KeyPress,
  { isMac, inBrowser }: KeyPlace,
): { readonly chord: string } | { readonly refused: ShortcutRefusal } | null {
  if (isModifierOnly(pressed)) return null;
  const chord = chordOf(pressed);
  if (chord === null) return { refused: 'typing' };
  if (editing.test(chord)) return { refused: 'editing' };
  if (system.test(chord) || (isMac && systemOfMac.test(chord))) return { refused: 'system' };
  if (inBrowser ? browser.test(chord) : menu.test(chord)) return { refused: inBrowser ? 'browser' : 'menu' };
  return { chord };
}
