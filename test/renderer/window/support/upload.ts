import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { openUpload as openUploadTab } from '../../../../src/renderer/features/upload/open-upload.ts';
import { fieldName } from '../../../../src/renderer/features/upload/columns/fields.ts';
import { uploadWords } from '../../../../src/renderer/words/upload.ts';
import {
  any,
  anyCount,
  anyOtherCount,
  including,
  like,
  oneOf,
  startingLike,
} from '../../../support/wording.ts';
import type { Demo } from '../../../../src/demo/index.ts';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import { openConnected, waitForWells, type TestWindow } from './open-window.tsx';

const w = uploadWords;
const { check } = w;

/** The user's actions in the upload in view, by accessible names. */
export function uploadIn(opened: TestWindow) {
  const { user, press, enabled, fill, tab, pickFile, session, datasetAt } = opened;
  const part = async (find: (tab: HTMLElement) => Promise<HTMLElement>) => find(await tab());
  const upload = {
    tab,
    /** Sets the null values. */
    async nulls(texts: string): Promise<void> {
      await user.type(await fill(w.columns.nulls, texts, await tab()), '{Enter}');
    },
    /** Drops files on the window. */
    async drop(files: readonly (readonly [name: string, text: string])[]): Promise<void> {
      const dataTransfer = {
        types: ['Files'],
        items: files.map(([name]) => ({ kind: 'file', type: '', name })),
        files: files.map(([name, text]) => new File([text], name)),
      };
      const at = await screen.findByRole('main');
      for (const event of ['dragEnter', 'dragOver', 'drop'] as const) fireEvent[event](at, { dataTransfer });
    },
    /** Opens an upload into a dataset. */
    async open(dataset: string): Promise<void> {
      const target = await datasetAt(dataset);
      await opened.openTab(() => openUploadTab(session(), target));
      await part((shown) => within(shown).findByRole('button', { name: w.choose.button }));
    },
    /** Selects a file, without waiting for the outcome. */
    hand: async (name: string, content: BlobPart, button: string = w.choose.button): Promise<void> =>
      pickFile(button, new File([content], name), await tab()),
    /** Selects a file and waits until it has been read completely. */
    async pick(name: string, lines: readonly string[]): Promise<void> {
      await upload.hand(name, lines.join('\n'));
      await upload.text(like(w.file.rowsAndColumns(anyCount, anyOtherCount)));
    },
    /** A line of the file, unchanged. */
    rawLine: (line: number) =>
      part(async (shown) => {
        const lines = await within(shown).findByRole('region', { name: like(w.raw.label(any)) });
        const head = await within(lines).findByRole('rowheader', { name: String(line) });
        return head.closest<HTMLElement>('tr, [role=row]') ?? head;
      }),
    /** Selects an option of a detected property of the file. */
    async guess(what: string, option: string): Promise<void> {
      await upload.press(including(what));
      await user.click(await screen.findByRole('option', { name: option }));
    },
    /** Types into a combo box that accepts other values too. */
    async typeInto(box: HTMLElement, text: string): Promise<void> {
      await user.clear(box);
      await user.click(box);
      await user.paste(text);
      await user.keyboard('{Enter}');
    },
    text: (text: string | RegExp) => part((shown) => within(shown).findByText(text)),
    button: (name: string | RegExp) => part((shown) => within(shown).findByRole('button', { name })),
    press: async (name: string | RegExp) => press(name, await tab()),
    /** Presses a button by keyboard. */
    async pressByKey(name: string | RegExp): Promise<void> {
      (await enabled(name, await tab())).focus();
      await user.keyboard('{Enter}');
    },
    next: (step: 'columns' | 'check') => upload.press(w.next(w.steps[step])),
    /** A field that the dataset requires. */
    field: (path: string) => part((shown) => within(shown).findByRole('listitem', { name: fieldName(path) })),
    /** A column of the file in the mapping. */
    column: (name: string) =>
      part(async (shown) => {
        const head = await within(shown).findByRole('rowheader', { name });
        return head.closest<HTMLElement>('tr, [role=row]') ?? head;
      }),
    /** Edits a value in the row of a column. */
    async edit(label: string, text: string): Promise<void> {
      await upload.press(startingLike(label));
      await upload.typeInto(await screen.findByRole('combobox', { name: label }), text);
    },
    /** Opens the mapping controls of a column. */
    async place(name: string): Promise<HTMLElement> {
      await upload.press(w.columns.change(name));
      return screen.findByRole('dialog', { name: w.columns.change(name) });
    },
    /** Selects the source of a field. */
    async fillField(path: string, option: string): Promise<void> {
      await press(including(w.columns.filledByNamed(fieldName(path))), await upload.field(path));
      await user.click(await screen.findByRole('option', { name: option }));
    },
    /** Sends, even if some rows are skipped, and waits until the job stops. */
    async send(): Promise<void> {
      await upload.press(oneOf(like(check.send(anyCount)), like(check.sendOthers(anyCount, anyOtherCount))));
      await upload.atRest();
    },
    atRest: () =>
      waitFor(
        async () => {
          const steps = within(await tab()).getByRole('navigation', { name: w.stepsLabel });
          if (!steps.querySelector('[aria-current=step]')?.textContent.includes(w.steps.ledger))
            throw new Error('the job is not at rest');
        },
        { timeout: 30_000 },
      ),
    /** The counts of the ledger. */
    async books(): Promise<Record<'accepted' | keyof typeof w.ledger.parts | 'rows', number>> {
      const ledger = await part((shown) => within(shown).findByRole('table', { name: w.ledger.label }));
      const of = (name: string) => {
        const row = within(ledger).getByRole('row', { name: new RegExp(`^${name}`) });
        return Number((within(row).getAllByRole('cell')[0]?.textContent ?? '').replaceAll(',', ''));
      };
      const { inserted, skipped, rejected, unknown, pending } = w.ledger.parts;
      return {
        accepted: of(inserted) + of(skipped),
        inserted: of(inserted),
        skipped: of(skipped),
        rejected: of(rejected),
        unknown: of(unknown),
        pending: of(pending),
        rows: of(w.ledger.total),
      };
    },
  };
  return upload;
}

/** Opens the window and an upload, with a well selected if one is given. */
export async function openUpload(
  well?: string,
  dataset = 'demo/uploads.time',
  { demo, ...more }: Partial<ConnectionDraft> & { demo?: Demo } = {},
) {
  const opened = await openConnected(demo, more);
  await waitForWells(8);
  if (well !== undefined)
    await opened.user.click(await screen.findByRole('row', { name: new RegExp(`^${well}`) }));
  const upload = uploadIn(opened);
  await upload.open(dataset);
  return { ...opened, upload };
}

/** Rows of a rig, one second apart: the time, a rate of penetration, a weight. */
export const rigRows = (
  count: number,
  ropOf: (row: number) => string = (row) => (100 + row / 100).toFixed(2),
): string[] =>
  Array.from({ length: count }, (_, row) => {
    const time = new Date(Date.UTC(2026, 0, 1) + row * 1000).toISOString();
    return `${time},${ropOf(row)},${(row % 30) + 5}`;
  });
