import { useEffect, useState, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { dataUrlOf } from '../../api/save.ts';
import { extentText } from '../../ui/plot/index.ts';
import { formatCount } from '../../format/numbers.ts';
import { useTask } from '../../state/use-task.ts';
import { Button } from '../../ui/button.tsx';
import { PopupAt } from '../../ui/popup.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { plotWords } from '../../words/plot.ts';
import type { Drawn } from './content.ts';
import type { Series } from './drawing.ts';
import './print-page.css';

const w = plotWords.page;

export interface PrintFormProps {
  /** The anchor element. */
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
  /** The picture of the plot, dark on white. */
  readonly picture: () => Promise<Blob>;
  readonly drawn: Drawn;
  readonly series: readonly Series[];
  /** Where the data come from, such as dataset and connection. */
  readonly source: string;
  /** The name of a file without its ending, which the dialog of the browser proposes. */
  readonly name: string;
}

interface Page {
  /** The address of the picture. */
  readonly picture: string;
  readonly note: string;
  /** When it was made, Unix milliseconds. */
  readonly at: number;
}

/** Asks for a note, and prints a page with the plot, its values, and where they come from. */
export function PrintForm(props: PrintFormProps) {
  const { at, onClose, picture } = props;
  const [note, setNote] = useState('');
  const page = useTask(async (text: string): Promise<Page> => {
    // An address that the content security policy allows.
    return { picture: await dataUrlOf(await picture()), note: text.trim(), at: Date.now() };
  });
  return (
    <PopupAt at={at} heading={w.heading} placement="bottom end" onClose={onClose}>
      <form
        className="stack gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void page.start(note);
        }}
      >
        <TextAreaField label={w.note} value={note} rows={4} onChange={setNote} />
        <p className="quiet">{w.about}</p>
        {page.error && <Failed error={page.error} />}
        <Button variant="primary" type="submit" isDisabled={page.isRunning}>
          {w.print}
        </Button>
      </form>
      {page.value && <PrintedPage {...props} page={page.value} onPrinted={onClose} />}
    </PopupAt>
  );
}

/** The page, which only the printer sees. */
function PrintedPage({
  page,
  drawn,
  series,
  source,
  name,
  onPrinted,
}: PrintFormProps & { page: Page; onPrinted: () => void }) {
  useEffect(() => {
    const { title } = document;
    // The browser proposes the title as the name of the file.
    document.title = name;
    window.addEventListener('afterprint', onPrinted);
    return () => {
      window.removeEventListener('afterprint', onPrinted);
      document.title = title;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- one page is printed once
  }, [page]);
  const { content, lines } = drawn;
  const left = content.lines.reduce((sum, { tokens }) => sum + tokens, 0);
  return createPortal(
    <article className={content.choice.kind === 'tracks' ? 'print-page' : 'print-page print-page-wide'}>
      <img src={page.picture} alt="" onLoad={() => window.print()} />
      {page.note !== '' && <p className="print-page-note">{page.note}</p>}
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{plotWords.line}</th>
            <th scope="col">{plotWords.lowest}</th>
            <th scope="col">{plotWords.highest}</th>
            <th scope="col">{plotWords.points}</th>
          </tr>
        </thead>
        <tbody>
          {series.map(({ name: line }, index) => {
            const seen = lines[index]?.values;
            return (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td>{seen ? extentText(seen.from) : plotWords.noValue}</td>
                <td>{seen ? extentText(seen.to) : plotWords.noValue}</td>
                <td>{formatCount(content.lines[index]?.count ?? 0)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <footer>
        {[
          source,
          ...(left > 0 ? [plotWords.tokens(left)] : []),
          w.made(new Date(page.at).toISOString()),
        ].join(' · ')}
      </footer>
    </article>,
    document.body,
  );
}
