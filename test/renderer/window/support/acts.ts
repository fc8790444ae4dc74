import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { words } from '../../../../src/renderer/words/words.ts';
import { startingLike } from '../../../support/wording.ts';

/** An accessible name: exact, or a pattern. */
type Name = string | RegExp;
/** A part of the window; absent: the whole window. */
type Part = HTMLElement | undefined;

// Of a find, and of a pipeline.
const editor = new RegExp(`^(${words.query.editor}|${words.query.stages})`);
const partOf = (part: Part) => (part ? within(part) : screen);

/** The tab in view: recent ones stay drawn, inert. Every act looks for it, so it is no search by role and visibility. */
const shownTab = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role=tabpanel]')].find(
    (panel) => !panel.closest('[inert], [aria-hidden=true], [hidden], [data-section]'),
  );
const tab = (): Promise<HTMLElement> =>
  waitFor(() => {
    const shown = shownTab();
    if (!shown) throw new Error('no tab is in view');
    return shown;
  });

/** Opens a tab, and waits until it is drawn. */
async function openTab(open: () => void): Promise<void> {
  const before = shownTab();
  open();
  await waitFor(() => {
    if ([undefined, before].includes(shownTab())) throw new Error('the tab is not drawn');
  });
}

/** The user's actions in the window, by accessible names. Each waits for its element. */
export function actsOf(user: UserEvent) {
  /** An enabled button; if several have a name, the last of them. */
  const enabled = (name: Name, part?: Part): Promise<HTMLElement> =>
    waitFor(() => {
      const found = partOf(part).getAllByRole('button', { name }).at(-1);
      if (!found || found.matches(':disabled, [aria-disabled=true]'))
        throw new Error(`${String(name)} can’t be pressed`);
      return found;
    });
  const press = async (name: Name, part?: Part): Promise<void> => user.click(await enabled(name, part));
  /** Selects an item of the open menu, by keyboard. */
  async function takeItem(item: Name): Promise<void> {
    const menu = await screen.findByRole('menu');
    const text = await within(menu).findByText(item);
    text.closest<HTMLElement>('[role^=menuitem]')?.focus();
    await user.keyboard('{Enter}');
    // A menu whose items change while it closes is drawn once more, as another element.
    await waitFor(() => {
      if (screen.queryByRole('menu')) throw new Error('the menu stays open');
    });
  }
  /** Replaces the text of a field. */
  async function fill(label: Name, text: string, part?: Part): Promise<HTMLElement> {
    // An element of the same name may be the option that shows it.
    const field = await partOf(part).findByLabelText(label, {
      selector: 'input:not([type=radio]), textarea',
    });
    await user.clear(field);
    if (text !== '') await user.paste(text);
    return field;
  }
  /** The text of the query in view, which is opened if it is folded. */
  async function openText(): Promise<HTMLElement> {
    const shown = within(await tab());
    const isFolded = { name: startingLike(words.query.fold), expanded: false };
    const part = await waitFor(
      () => shown.queryByRole('textbox', { name: editor }) ?? shown.getByRole('button', isFolded),
    );
    if (part.matches('button')) await user.click(part);
    return shown.findByRole('textbox', { name: editor });
  }
  return {
    enabled,
    press,
    takeItem,
    /** Opens a menu and selects one of its items. */
    async pick(menu: Name, item: Name, part?: Part): Promise<void> {
      await press(menu, part);
      await takeItem(item);
    },
    /** Opens an element's context menu and selects one of its items. */
    async pickOn(at: HTMLElement, item: Name): Promise<void> {
      at.focus();
      fireEvent.mouseDown(at, { button: 2 });
      fireEvent.contextMenu(at, { button: 2 });
      await takeItem(item);
    },
    /** The browser's behavior for the menu key, and for Shift+F10. */
    pressMenuKey(): void {
      fireEvent.contextMenu(document.activeElement ?? document.body);
    },
    /** Selects one of the options behind a button. */
    async select(button: Name, option: Name, part?: Part): Promise<void> {
      await press(button, part);
      await user.click(await screen.findByRole('option', { name: option }));
    },
    /** The result of the query in view. */
    answer: async () => within(await tab()).findByRole('region', { name: words.results.region }),
    openText,
    openTab,
    tab,
    /** The query in view. */
    async query(): Promise<string> {
      const field = await openText();
      return field instanceof HTMLTextAreaElement ? field.value : '';
    },
    /** Replaces the text of the query in view. */
    async typeQuery(text: string): Promise<HTMLElement> {
      const field = await openText();
      await user.clear(field);
      await user.paste(text);
      return field;
    },
    /** Selects a file in the file dialog that a button opens. */
    async pickFile(button: Name, file: File, part?: Part): Promise<void> {
      const input = (await enabled(button, part)).nextElementSibling;
      if (!(input instanceof HTMLInputElement)) throw new Error('the button opens no dialog for files');
      await user.upload(input, file);
    },
    /** Checks a check box, or a radio button. */
    async tick(label: Name, part?: Part): Promise<void> {
      await user.click(await partOf(part).findByLabelText(label));
    },
    fill,
  };
}

export type Acts = ReturnType<typeof actsOf>;
