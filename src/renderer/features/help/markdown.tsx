import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, useMemo, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** Follows a link. */
  readonly onLink: (href: string) => void;
}

type OnLink = MarkdownProps['onLink'];

/** Renders the guide's Markdown. HTML is shown as text. */
export function Markdown({ text, onLink }: MarkdownProps) {
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
