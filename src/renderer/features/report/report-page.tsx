import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { visibleLine } from '../../../shared/errors/errors.ts';
import type { SavedQuery } from '../../../shared/saved/saved.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { notesWords } from '../../words/notes.ts';
import { plotWords } from '../../words/plot.ts';
import { reportWords as w } from '../../words/report.ts';
import { words } from '../../words/words.ts';
import tokens from '../../styles/tokens.css?inline';
import { BarTable } from '../plot/bars.tsx';
import type { PartContent } from './read-part.ts';
import type { ReportPart } from './report-tab.ts';
import './report-page.css';
import style from './report-page.css?inline';

export interface Report {
  readonly folder: string;
  readonly wells: readonly string[];
  readonly note: string;
  readonly parts: readonly ReportPart[];
  /** The notes on ranges of its wells, the last changed first. */
  readonly wellNotes: readonly string[];
  readonly connection: string;
  /** When it was read, in Unix milliseconds. */
  readonly at: number;
}

const maxNotes = 20;

export const reportTitle = ({ folder, wells }: Pick<Report, 'folder' | 'wells'>): string =>
  visibleLine(w.title(folder, plotWords.wells(wells, false)));

interface ReportPageProps {
  readonly report: Report;
  /** Reads a part that failed again; absent: the page is handed on. */
  readonly onRetry?: ((query: SavedQuery) => void) | undefined;
}

/** The page of a report: in the window, on paper, and in a file. It has no style but its own. */
export function ReportPage({ report, onRetry }: ReportPageProps) {
  const { note, parts, wellNotes, connection, at } = report;
  const sources = parts.flatMap(({ content }) => (content.status === 'loaded' ? content.value.source : []));
  return (
    <div className="report-page">
      <h1>{reportTitle(report)}</h1>
      {note.trim() !== '' && <p className="report-note">{note.trim()}</p>}
      {parts.map((part) => (
        <Section key={part.query.id} heading={visibleLine(part.query.name)}>
          <PartBody part={part} onRetry={onRetry} />
        </Section>
      ))}
      {wellNotes.length > 0 && (
        <Section heading={notesWords.heading}>
          <ul>
            {wellNotes.slice(0, maxNotes).map((line) => (
              <li key={line}>{visibleLine(line)}</li>
            ))}
          </ul>
          {wellNotes.length > maxNotes && <Notes notes={[w.moreNotes(wellNotes.length - maxNotes)]} />}
        </Section>
      )}
      <footer>
        {[
          ...(sources.length > 0 ? [w.source([...new Set(sources)], connection)] : []),
          w.made(new Date(at).toISOString()),
        ].join(' · ')}
      </footer>
    </div>
  );
}

function PartBody({
  part: { query, content, rows },
  onRetry,
}: { part: ReportPart } & Pick<ReportPageProps, 'onRetry'>) {
  switch (content.status) {
    case 'idle':
      return <p className="report-about">{w.waiting}</p>;
    case 'loading':
      return <p className="report-about">{w.reading(rows)}</p>;
    case 'failed':
      return (
        <>
          <p role="alert">{w.failed(content.error.message)}</p>
          {onRetry && (
            <Button aria-label={`${words.tryAgain}: ${query.name}`} onPress={() => onRetry(query)}>
              {words.tryAgain}
            </Button>
          )}
        </>
      );
    case 'loaded':
      return <Content name={query.name} content={content.value} />;
  }
}

function Content({ name, content }: { name: string; content: PartContent }) {
  const { about, isEmpty, picture, bars, table, notes } = content;
  return (
    <>
      {about !== '' && <p className="report-about">{visibleLine(about)}</p>}
      {isEmpty && <p>{w.noRecords}</p>}
      <Notes notes={notes} />
      {picture && (
        <figure className="report-wide">
          <img src={picture.address} alt={picture.text} />
        </figure>
      )}
      {bars && (
        <div className="report-bars report-wide">
          <BarTable {...bars} />
        </div>
      )}
      <Notes notes={table?.notes ?? []} />
      {table && (
        // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
        <section className="report-wide" aria-label={w.table(name)} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {table.heads.map(({ text, details, style }, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- columns may have the same name
                  <th key={at} scope="col" className={style}>
                    {text} <small>{details}</small>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((cells, row) => (
                // oxlint-disable-next-line react/no-array-index-key -- rows never move
                <tr key={row}>
                  {cells.map((cell, at) => (
                    // oxlint-disable-next-line react/no-array-index-key -- cells never move
                    <td key={at} className={table.heads[at]?.style}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.map((note) => (
    <p key={note} className="report-about">
      {note}
    </p>
  ));

/** The file is white in every theme, also where a browser doesn't have the function. */
const lightTokens = tokens.replaceAll(/light-dark\(([^,]+),[^)]+\)/g, '$1');
/** The policy of the file: it loads nothing, and runs nothing. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** A report as one file that needs nothing else. React escapes all texts. */
export function reportHtml(report: Report): string {
  const place = document.createElement('body');
  const root = createRoot(place);
  flushSync(() => root.render(<ReportPage report={report} />));
  const title = document.createElement('title');
  title.textContent = reportTitle(report);
  const html = `<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${title.outerHTML}
<style>${lightTokens}${style}</style>
</head>
${place.outerHTML}
</html>
`;
  root.unmount();
  return html;
}
