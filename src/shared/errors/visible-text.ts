// Control characters can move a terminal's cursor and change what it shows; directional formatting characters and line
// separators can show a name or a value as another one. All of them are of the basic plane.
const hidden = String.raw`[\p{Cc}\p{Bidi_Control}\u2028\u2029]`;
const inText = new RegExp(String.raw`(?!\n|\t|\r\n)${hidden}`, 'gu');
const inLine = new RegExp(hidden, 'gu');

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes characters that could change how a text is displayed, as `\uXXXX`, which keeps the value of JSON.
 * Line breaks and tabs remain. For display only: in a file name the backslash would form a path.
 */
export const visibleText = (text: string): string => text.replace(inText, escaped);

/** {@link visibleText} for what has one line, such as the cell of a table: line ends and tabs are escaped too. */
export const visibleLine = (text: string): string => text.replace(inLine, escaped);
