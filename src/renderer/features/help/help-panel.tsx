import { ArrowLeft, X, ClipboardList } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, Fragment, useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { useReturnFocus } from '../../ui/keep-focus.tsx';
import { words } from '../../words/words.ts';
import { isMac } from '../commands/keys.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { contents, type HelpPlace } from './help.ts';
import { pages, placeOf, titleOf, withCurrentShortcuts, search } from './pages.ts';
import './help.css';
import { lexer, type Token, type Tokens } from 'marked';
import { CopyReport } from '../../ui/copy-report.tsx';

interface MarkdownProps {
  readonly text: string;
  readonly onLink: (href: string) => void;
}

type OnLink = MarkdownProps['onLink'];

/** HTML is shown as text. */
function Markdown({ text, onLink }: MarkdownProps) {
  const tokens = useMemo(() => lexer(text), [text]);
  return <>{renderTokens(tokens, onLink)}</>;
}

const renderTokens = (tokens: readonly Token[] | undefined, onLink: OnLink): ReactNode =>
  (tokens ?? []).map((token, at) => <Fragment key={at}>{renderToken(token, onLink)}</Fragment>);

function renderToken(token: Token, onLink: OnLink): ReactNode {
  switch (token.type) {
    case 'heading': {
      // Headings are one level below the panel's.
      const Heading = `h${Math.min(token.depth + 1, 6)}` as 'h2' | 'h3' | 'h4';
      return (
        <Heading data-heading={token.text} tabIndex={-1}>
          {renderTokens(token.tokens, onLink)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{renderTokens(token.tokens, onLink)}</p>;
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List>
          {(token as Tokens.List).items.map((item, at) => (
            <li key={at}>{renderTokens(item.tokens, onLink)}</li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table table={token as Tokens.Table} onLink={onLink} />;
    case 'code':
      return (
        // Wide tables scroll, also by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'strong':
      return <strong>{renderTokens(token.tokens, onLink)}</strong>;
    case 'em':
      return <em>{renderTokens(token.tokens, onLink)}</em>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      return (
        <Button variant="link" onPress={() => onLink(token.href)}>
          {renderTokens(token.tokens, onLink)}
        </Button>
      );
    case 'br':
      return <br />;
    case 'space':
      return null;
    case 'text':
      return token.tokens ? renderTokens(token.tokens, onLink) : token.text;
    default:
      return token.raw;
  }
}

function Table({ table, onLink }: { table: Tokens.Table; onLink: OnLink }) {
  return (
    <table className="table">
      <thead>
        <tr>
          {table.header.map((cell, at) => (
            <th key={at} scope="col">
              {renderTokens(cell.tokens, onLink)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, nth) => (
          <tr key={nth}>
            {row.map((cell, at) => (
              <td key={at}>{renderTokens(cell.tokens, onLink)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const w = words.help;

export default function HelpPanel({ divider }: { divider: ReactNode }) {
  const at = useAppState('help', (state) => state.at);
  return at && <OpenHelp at={at} divider={divider} />;
}

function OpenHelp({ at, divider }: { at: HelpPlace; divider: ReactNode }) {
  const { open, close } = useApp().help.actions;
  const [searchText, setSearchText] = useState('');
  const panel = useRef<HTMLElement>(null);
  const isPageShown = searchText.trim() === '';
  const changed = useAppState('commands', (state) => state.customShortcuts);
  const page = pages[at.page] ?? '';
  const text = at.page === 'keyboard.md' ? withCurrentShortcuts(page, changed, isMac()) : page;
  useReturnFocus();
  useEffect(() => {
    if (!isPageShown) return;
    const headings = [...(panel.current?.querySelectorAll<HTMLElement>('[data-heading]') ?? [])];
    const wanted = headings.find(({ dataset }) => dataset['heading'] === at.heading) ?? headings[0];
    wanted?.scrollIntoView({ block: 'start' });
    wanted?.focus({ preventScroll: true });
  }, [at, isPageShown]);
  const go = (place: HelpPlace) => {
    setSearchText('');
    open(place);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from wherever the focus is in it
    <aside
      ref={panel}
      className="side-panel stack gap-0 full surface"
      aria-label={w.region}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isPageShown) close();
      }}
    >
      {divider}
      <header className="side-panel-head row line-below">
        {at.page !== contents.page && (
          <Button variant="quiet" icon={ArrowLeft} aria-label={w.contents} onPress={() => go(contents)} />
        )}
        <SearchBox
          className="grow"
          label={w.search}
          placeholder={w.search}
          value={searchText}
          onChange={setSearchText}
        />
        <Button variant="quiet" icon={X} aria-label={w.close} onPress={close} />
      </header>
      {isPageShown ? (
        // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
        <article className="fill scroll help-page" tabIndex={0}>
          <Markdown
            text={text}
            onLink={(href) => {
              const place = placeOf(href, at.page);
              if (place) go(place);
            }}
          />
        </article>
      ) : (
        <SearchResults text={searchText} onGo={go} />
      )}
      <HelpFooter />
    </aside>
  );
}

function SearchResults({ text, onGo }: { text: string; onGo: (place: HelpPlace) => void }) {
  const hits = search(text).slice(0, 30);
  return (
    <div className="fill scroll help-page">
      <Status>{hits.length === 0 && w.noMatch}</Status>
      <ul className="help-found">
        {hits.map(({ page, heading, text: paragraph }, at) => (
          <li key={at}>
            <Button variant="quiet" isMultiline className="wide" onPress={() => onGo({ page, heading })}>
              <span className="help-found-text">
                <strong>{heading ?? titleOf(page)}</strong> {paragraph}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function HelpFooter() {
  const { diagnostics } = useApp().workspace.actions;
  return (
    <footer className="side-panel-foot row">
      <CopyReport
        variant="quiet"
        icon={ClipboardList}
        copied={w.diagnosticsCopied}
        label={w.diagnosticsText}
        text={diagnostics}
      >
        {w.diagnostics}
      </CopyReport>
    </footer>
  );
}
