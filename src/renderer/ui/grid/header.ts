import type { IHeaderParams, IInnerHeaderComponent } from 'ag-grid-community';
import { visibleLine } from '../../../shared/errors/visible-text.ts';

/** What the header of a column says. */
export interface Heading {
  readonly header: string;
  readonly details?: readonly string[];
  readonly mark?: string;
}

const inParentheses = (details: readonly string[]): string => details.map((text) => `(${text})`).join(' ');

/** A heading in one line, as it is read aloud. */
export const headerLine = ({ header, details = [], mark }: Heading): string =>
  [header, mark, inParentheses(details)].filter((part) => part !== undefined && part !== '').join(' ');

const span = (className: string, text: string): HTMLElement => {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
};

/** A header with the details below the name; the parentheses around them are for screen readers. */
export class TwoLineHeader implements IInnerHeaderComponent {
  readonly #element = span('head', '');

  init(params: IHeaderParams & Heading): void {
    this.#draw(params);
  }

  getGui(): HTMLElement {
    return this.#element;
  }

  refresh(params: IHeaderParams & Heading): boolean {
    this.#draw(params);
    return true;
  }

  #draw({ header, details = [], mark }: Heading): void {
    const name = span('head-name ellipsis', visibleLine(mark === undefined ? header : `${header} ${mark}`));
    const more = span('ellipsis', '');
    for (const detail of details)
      more.append(span('visually-hidden', ' ('), visibleLine(detail), span('visually-hidden', ')'));
    this.#element.replaceChildren(name, ...(details.length > 0 ? [more] : []));
  }
}
