import { contents, type HelpPlace } from './help.ts';
import { CircleQuestionMark } from 'lucide-react';
import { useApp, useAppState } from '../../contexts.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { words } from '../../words/words.ts';

/** A page and a heading on it, as parts of the window name them: `ask.md#Share and repeat`. */
function placeOf(text: string): HelpPlace {
  const [page = '', heading = null] = text.split('#');
  return { page, heading };
}

/** The page about the part of the window that has the focus, otherwise about the tab in view. */
export function helpHere(): HelpPlace {
  const { activeElement } = document;
  const focused = activeElement === document.body ? null : activeElement?.closest<HTMLElement>('[data-help]');
  const isPart = focused && !focused.matches('.window-work');
  const inTab = document.querySelector<HTMLElement>('.tab-panel:not([data-inert]) [data-help]');
  const marked = isPart ? focused : (inTab ?? document.querySelector<HTMLElement>('[data-help]'));
  const text = marked?.dataset['help'];
  return text === undefined ? contents : placeOf(text);
}

export function HelpButton() {
  const isOpen = useAppState('help', (state) => state.at !== null);
  const { open, close } = useApp().help.actions;
  return (
    <CommandButton
      command="help"
      icon={CircleQuestionMark}
      aria-label={words.help.open}
      aria-expanded={isOpen}
      onPress={() => (isOpen ? close() : open(helpHere()))}
    />
  );
}
