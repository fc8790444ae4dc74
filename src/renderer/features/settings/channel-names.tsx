import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { channels, normalizedName } from '../../../shared/channels/channels.ts';
import { nameProblems, type NamesByChannel } from '../../../shared/channels/synonyms.ts';
import { readList, writeList } from '../../../shared/value-lists.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { useTask } from '../../state/use-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { ImportExport } from '../../ui/import-export.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { ListField } from '../../ui/list-field.tsx';
import { words } from '../../words/words.ts';

const w = words.settings.channelNames;

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
  if (problem.takenBy === null) return w.empty(problem.name);
  const other = problem.channel === channel ? problem.takenBy : problem.channel;
  return w.taken(problem.name, shownName(other));
}

const noNames: NamesByChannel = {};
const useNames = (): NamesByChannel =>
  useAppState('settings', (state) => state.stored.channelNames) ?? noNames;

/** The user's own names of channels: to edit, and as a file to share. */
export function ChannelNames() {
  const names = useNames();
  const list = Object.keys(names).toSorted((a, b) => a.localeCompare(b));
  return (
    <section aria-labelledby="settings-channel-names">
      <h3 id="settings-channel-names">{words.settings.sections.channelNames}</h3>
      <p className="field-note">{w.intro}</p>
      <KeepFocus focusKey={list.length}>
        {list.length > 0 && (
          <ul aria-labelledby="settings-channel-names">
            {list.map((channel) => (
              <NamesRow key={channel} channel={channel} />
            ))}
          </ul>
        )}
        <AddNames />
      </KeepFocus>
      <ShareNames hasAny={list.length > 0} />
    </section>
  );
}

/** A text of names, stored once it is left. */
function NamesRow({ channel }: { channel: string }) {
  const all = useNames();
  const { setChannelNames } = useApp().settings.actions;
  const stored = writeList(all[channel] ?? []);
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? undefined : problemWith(all, channel, readList(typed));
  const name = shownName(channel);
  return (
    <li className="settings-row row gap-2">
      <span className="channel-name">{name}</span>
      <ListField
        label={w.namesOf(name)}
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
        aria-label={w.remove(name)}
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
    <form
      className="settings-names-form stack gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (!canAdd) return;
        setChannelNames(channel, names);
        setChannel(null);
        setTyped('');
      }}
    >
      <ComboBox
        label={w.channel}
        value={channel}
        text={channel === null ? '' : shownName(channel)}
        find={findChannels}
        emptyText={w.noChannel}
        onSelect={setChannel}
      />
      <ListField
        label={w.names}
        name="names"
        value={typed}
        placeholder={w.placeholder}
        problem={problem}
        onChange={setTyped}
      />
      <Button type="submit" icon={Plus} isDisabled={!canAdd}>
        {w.add}
      </Button>
    </form>
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
          importLabel={w.importFile}
          exportLabel={w.exportFile}
        />
        <Status className="quiet">{importing.value !== null && w.imported(importing.value)}</Status>
      </div>
      {error && <Alert tone="error">{error.message}</Alert>}
    </>
  );
}
