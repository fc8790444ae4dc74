import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, useMemo, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

export interface MarkdownProps {
  readonly text: string;
  /** Follows a link. */
  readonly onLink: (href: string) => void;
}

type OnLink = MarkdownProps['onLink'];

/** Markdown of our own as elements; HTML in it is shown as the text that it is. */
export function Markdown({ text, onLink }: MarkdownProps) {
  const tokens = useMemo(() => lexer(text), [text]);
  return <>{all(tokens, onLink)}</>;
}

const all = (tokens: readonly Token[] | undefined, onLink: OnLink): ReactNode =>
  (tokens ?? []).map((token, at) => <Fragment key={at}>{one(token, onLink)}</Fragment>);

function one(token: Token, onLink: OnLink): ReactNode {
  switch (token.type) {
    case 'heading': {
      // The page's own title stands one below the help's.
      const Heading = `h${Math.min(token.depth + 1, 6)}` as 'h2' | 'h3' | 'h4';
      return (
        <Heading data-heading={token.text} tabIndex={-1}>
          {all(token.tokens, onLink)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{all(token.tokens, onLink)}</p>;
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List>
          {(token as Tokens.List).items.map((item, at) => (
            <li key={at}>{all(item.tokens, onLink)}</li>
          ))}
        </List>
      );
    }
    case 'table':
      return <Table table={token as Tokens.Table} onLink={onLink} />;
    case 'code':
      return (
        // Wider than the page, it is scrolled: by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'strong':
      return <strong>{all(token.tokens, onLink)}</strong>;
    case 'em':
      return <em>{all(token.tokens, onLink)}</em>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      return (
        <Button variant="quiet" className="help-link" onPress={() => onLink(token.href)}>
          {all(token.tokens, onLink)}
        </Button>
      );
    case 'br':
      return <br />;
    case 'space':
      return null;
    case 'text':
      return token.tokens ? all(token.tokens, onLink) : token.text;
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
              {all(cell.tokens, onLink)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, nth) => (
          <tr key={nth}>
            {row.map((cell, at) => (
              <td key={at}>{all(cell.tokens, onLink)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
